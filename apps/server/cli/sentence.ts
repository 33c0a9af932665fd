/** What the system and the database say by a code, in words that tell the operator what to do. */
const by_code: Readonly<Record<string, (error: Error) => string>> = {
  ENOENT: error => `${pathOf(error)} does not exist: check the path`,
  EACCES: error => `${pathOf(error)} may not be opened by this user: check who owns it`,
  '42P01': () => 'the database is not up to date: run "npm run cli -- migrate up" first',
}

/** The one line a failed command ends with. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return by_code[code]?.(error) ?? error.message
}

function pathOf(error: Error): string {
  return 'path' in error && typeof error.path === 'string' ? error.path : error.message
}
