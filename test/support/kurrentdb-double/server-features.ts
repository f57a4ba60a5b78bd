import features from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/serverfeatures_pb.js';

const streamsService = 'event_store.client.streams.streams';

/** What the server says that it can do: lower case, as the real one. */
export function supportedMethods(withBatchAppend: boolean): features.SupportedMethods {
  const methods = new features.SupportedMethods().setEventStoreServerVersion('25.1.4');
  const add = (name: string, ...list: string[]): void => {
    methods.addMethods(
      new features.SupportedMethod().setServiceName(streamsService).setMethodName(name).setFeaturesList(list),
    );
  };
  add('read', 'position', 'events');
  add('append');
  add('delete');
  add('tombstone');
  if (withBatchAppend) add('batchappend', 'deadline_duration');
  return methods;
}
