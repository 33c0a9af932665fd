const form = /^([0-9]{1,9}\/[0-9]{1,18}\/[0-9]{8}\/[A-Za-z0-9][A-Za-z0-9._-]{0,79}) ([0-9]{1,10}) (.{1,200})$/u

/** An uploaded file as the value of a field: its key, its size in bytes, the name it had. */
export type FileValue = { file_key: string; size: number; file_name: string }

/** A value of a field of type file taken apart; null for anything else. */
export function readFileValue(text: string | null | undefined): FileValue | null {
  const found = form.exec(text ?? '')
  return found ? { file_key: found[1] ?? '', size: Number(found[2]), file_name: found[3] ?? '' } : null
}

/** The same as it is stored and sent: three parts with a blank between, the name last. */
export function writeFileValue({ file_key, size, file_name }: FileValue): string {
  return `${file_key} ${size} ${file_name.replaceAll(/\p{Cc}/gu, '').slice(0, 200)}`
}
