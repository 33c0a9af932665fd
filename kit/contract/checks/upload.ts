/** One choice of files holds at most so many (platform rule F6). */
export const files_limit = 150
/** A token is fetched again so long after each fetch while the page lives (F2). */
export const token_refetch_ms = 3_300_000
/** One file may travel so long (F2). */
export const upload_patience_ms = 300_000

const landscape_most = 720
const portrait_most = 1280
const random_digits = 6

/** The name of an uploaded object: school id, six random digits, time in ms, extension in small letters; `.jpg` if there is no file (F3). `random`: 0 ≤ random < 1. */
export function uploadName(school_id: number | string, now_ms: number, random: number, file_name?: string): string {
  const digits = String(Math.floor(random * 10 ** random_digits)).padStart(random_digits, '0')
  const ext = /\.[A-Za-z0-9]{1,10}$/.exec(file_name ?? '')?.[0].toLowerCase() ?? '.jpg'
  return `${school_id}${digits}${now_ms}${ext}`
}

/** How large a picture is sent: the long side at most 720 when it is wide or square, 1,280 when it is high; never enlarged (F4). */
export function pictureSize(width: number, height: number): { width: number; height: number } {
  const most = width >= height ? landscape_most : portrait_most
  const part = Math.min(1, most / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * part)), height: Math.max(1, Math.round(height * part)) }
}

/** What to say when more files are chosen than one choice may hold. */
export function checkChosen(count: number): string | null {
  return count > files_limit ? `一次最多选择${files_limit}个文件` : null
}
