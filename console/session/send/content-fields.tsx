import type { JSX } from 'preact';
import { type Draft, draftTypes, hasText, isFileType } from './draft.ts';

interface Props {
  draft: Draft;
  chosen: File | undefined;
  onChange: (changed: Partial<Draft>) => void;
  onChoose: (file: File | undefined) => void;
}

/** The fields of the draft that are one line each. */
type TextField = 'url' | 'latitude' | 'longitude' | 'name' | 'address' | 'phone' | 'question';

const formattingNames = { '': 'None', markdown: 'Markdown', html: 'HTML' } as const;

/** What a message of the draft's type has. */
export function ContentFields({ draft, chosen, onChange, onChoose }: Props) {
  const { type } = draft;
  const field = (name: TextField, label: string, more: JSX.IntrinsicElements['input'] = {}) => (
    <label key={name}>
      {label}
      <input
        autocomplete="off"
        value={draft[name]}
        onInput={({ currentTarget: { value } }) => onChange({ [name]: value })}
        {...more}
      />
    </label>
  );
  const lines = (name: 'text' | 'options', label: string, isRequired: boolean) => (
    <label>
      {label}
      <textarea
        rows={name === 'text' ? 2 : 3}
        required={isRequired}
        value={draft[name]}
        onInput={({ currentTarget: { value } }) => onChange({ [name]: value })}
      />
    </label>
  );
  return (
    <>
      {isFileType(type) && (
        <>
          <label>
            {draftTypes[type]} of this device
            <input type="file" onChange={({ currentTarget: { files } }) => onChoose(files?.[0])} />
          </label>
          {chosen === undefined && field('url', 'or its URL', { type: 'url', required: true, placeholder: 'https://' })}
        </>
      )}
      {type === 'location' && (
        <div class="field-row even">
          {field('latitude', 'Latitude', { required: true, inputMode: 'decimal' })}
          {field('longitude', 'Longitude', { required: true, inputMode: 'decimal' })}
          {field('name', 'Name of the place')}
          {field('address', 'Address')}
        </div>
      )}
      {type === 'contact' && (
        <div class="field-row even">
          {field('name', 'Name', { required: true })}
          {field('phone', 'Phone number', { required: true, type: 'tel' })}
        </div>
      )}
      {type === 'poll' && (
        <>
          {field('question', 'Question', { required: true })}
          {lines('options', 'Options, one a line', true)}
        </>
      )}
      {hasText(type) && lines('text', type === 'text' ? 'Text' : 'Caption', type === 'text')}
      {hasText(type) && (
        <label>
          Formatting
          <select
            value={draft.parseMode}
            onChange={({ currentTarget: { value } }) => onChange({ parseMode: value as Draft['parseMode'] })}
          >
            {Object.entries(formattingNames).map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}
