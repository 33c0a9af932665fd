/** What the processes of a test get beside their own settings: nothing that somebody's shell says about the server. */
export function processEnv(): Record<string, string> {
  // vitest.config.ts names the folder in which one process leaves what it compiled to the next: a fifth of the work of a start.
  const { PATH = '', TZ = '', NODE_COMPILE_CACHE } = process.env
  return { PATH, TZ, ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}) }
}
