import type { SessionSummary } from '../api/types.ts';

/** The longest names that the API accepts (OS1). */
const maxLabelLength = 64;
const maxExternalIdLength = 128;

type Names = Pick<SessionSummary, 'label' | 'externalId'>;

/** The caller's own names for a session. */
export function NameFields({ names, onChange }: { names: Names; onChange: (names: Names) => void }) {
  return (
    <>
      <label>
        Label
        <input
          autocomplete="off"
          maxLength={maxLabelLength}
          value={names.label}
          onInput={(event) => onChange({ ...names, label: event.currentTarget.value })}
        />
      </label>
      <label>
        External ID
        <input
          autocomplete="off"
          maxLength={maxExternalIdLength}
          value={names.externalId}
          onInput={(event) => onChange({ ...names, externalId: event.currentTarget.value })}
        />
      </label>
    </>
  );
}
