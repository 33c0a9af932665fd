/** A short fingerprint of where an error happened, so that equal errors are counted together; holds no text of the page. */
export function errorHash(error: Error): string {
  let hash = 0x811c9dc5
  for (const sign of `${error.name}\n${error.stack ?? error.message}`) {
    hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193) >>> 0
  }
  return hash.toString(16).padStart(8, '0')
}
