interface Props {
  label: string;
  /** Of the file. */
  name: string;
  /** The lines of the file, at the moment of the click. */
  lines: () => readonly string[];
}

/** A button that saves lines of JSON as a file. */
export function DownloadButton({ label, name, lines }: Props) {
  const save = (): void => {
    const blob = new Blob(
      [
        lines()
          .map((line) => `${line}\n`)
          .join(''),
      ],
      { type: 'application/x-ndjson' },
    );
    const url = URL.createObjectURL(blob);
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <button type="button" class="plain" onClick={save}>
      {label}
    </button>
  );
}
