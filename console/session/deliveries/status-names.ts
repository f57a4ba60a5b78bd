import type { DeliveryDoc } from '../../api/types.ts';

/** The states of a delivery, in words. */
export const statusNames: Readonly<Record<DeliveryDoc['status'], string>> = {
  pending: 'Pending',
  parked: 'Failed (parked)',
  delivered: 'Delivered',
};
