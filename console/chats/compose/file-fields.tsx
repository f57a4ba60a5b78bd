import { type FileKind, type FileToSend, fileKinds, suggestedKind } from './message-to-send.ts';

const kindNames: Record<FileKind, string> = { image: 'Photo', video: 'Video', document: 'File' };

/** Where the gateway fetches a file, and as what it is sent. */
export function FileFields({ file, onChange }: { file: FileToSend; onChange: (file: FileToSend) => void }) {
  return (
    <div class="file-fields">
      <label>
        File URL
        <input
          type="url"
          required
          placeholder="https://"
          value={file.url}
          onInput={({ currentTarget: { value } }) => onChange({ url: value, kind: suggestedKind(value) })}
        />
      </label>
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
