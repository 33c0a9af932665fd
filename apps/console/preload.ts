/** What a chunk needs before it runs, by its address: styles until they are there, scripts only asked for. */
const asked: Record<string, Promise<unknown> | undefined> = {}

function ask(file: string): Promise<unknown> {
  return new Promise((ready, fail) => {
    const link = document.createElement('link')
    const is_style = file.endsWith('.css')
    link.rel = is_style ? 'stylesheet' : 'modulepreload'
    link.href = `/${file}`
    link.onload = ready
    link.onerror = () => {
      asked[file] = undefined
      fail(new Error(file))
    }
    document.head.append(link)
    if (!is_style) ready(file)
  })
}

/**
 * Stands in the build for Vite's helper of the same name, a fifth of its size: the console has no nonces and no other base than `/`.
 * @param load the import itself
 * @param files styles and scripts of the chunk and of what it imports, as the build knows them
 */
export function __vitePreload<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  return Promise.all(files.map(file => (asked[file] ??= ask(file)))).then(load)
}
