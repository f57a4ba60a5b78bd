import type { SessionSummary } from '../../api/types.ts';

type Names = Pick<SessionSummary, 'label' | 'externalId'>;

export const noNames: Names = { label: '', externalId: '' };

/** The caller's own names for a session. One that is too long is the API's error: a field that cuts it says nothing. */
export function NameFields({ names, onChange }: { names: Names; onChange: (names: Names) => void }) {
  return (
    <>
      <label>
        Label
        <input
          autocomplete="off"
          value={names.label}
          onInput={(event) => onChange({ ...names, label: event.currentTarget.value })}
        />
      </label>
      <label>
        External ID
        <input
          autocomplete="off"
          value={names.externalId}
          onInput={(event) => onChange({ ...names, externalId: event.currentTarget.value })}
        />
      </label>
    </>
  );
}
