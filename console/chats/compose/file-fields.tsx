import { type FileKind, type FileToSend, fileKinds, kindOf, suggestedKind } from './message-to-send.ts';

const kindNames: Record<FileKind, string> = { image: 'Photo', video: 'Video', document: 'File' };

interface Props {
  file: FileToSend;
  onChange: (file: FileToSend) => void;
}

/** A file of this device, or where the gateway fetches one, and as what it is sent. */
export function FileFields({ file, onChange }: Props) {
  return (
    <div class="file-fields">
      <label>
        File of this device
        <input
          type="file"
          required={file.url === ''}
          onChange={({ currentTarget: { files } }) => {
            const chosen = files?.[0];
            onChange({ url: '', chosen, kind: kindOf(chosen?.type ?? '') });
          }}
        />
      </label>
      {file.chosen === undefined && (
        <label>
          or its URL
          <input
            type="url"
            aria-label="File URL"
            required
            placeholder="https://"
            value={file.url}
            onInput={({ currentTarget: { value } }) => onChange({ url: value, kind: suggestedKind(value) })}
          />
        </label>
      )}
      <label>
        Send as
        <select
          value={file.kind}
          onChange={(event) => onChange({ ...file, kind: event.currentTarget.value as FileKind })}
        >
          {fileKinds.map((kind) => (
            <option key={kind} value={kind}>
              {kindNames[kind]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
