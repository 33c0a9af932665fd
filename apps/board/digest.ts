import { sha256 } from '@noble/hashes/sha2.js'

/** SHA-256 of a file as hex; a page without a secure connection has no `crypto.subtle` (chapter 60 rule 36). */
export async function digestOf(file: Blob): Promise<string> {
  const bytes = await new Response(file).arrayBuffer()
  const digest = window.isSecureContext ? new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)) : sha256(new Uint8Array(bytes))
  return Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('')
}
