import { commonErrors, fail } from '@kit/contract'
import { illFormedAt } from '@kit/contract/checks'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const sentence = '含有无法识别的字符，请删除后重新输入'

/** A body of JSON whose bytes are no UTF-8 is refused rather than read with other signs in their place. */
export function readStrictJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer, done) => {
    const text = decoded(body)
    if (text === null) return done(refusal(''))
    return parse(request, text, done)
  })
}

/**
 * Half a surrogate pair is stored as another sign and U+0000 not at all, so neither comes in: not in path, query, body or cookies, at any depth.
 * @throws Refusal 400 that names the field
 */
export function refuseIllFormed({ params, raw, query, cookies }: FastifyRequest, body: unknown): void {
  const [, sent = ''] = (raw.url ?? '').split('?', 2)
  if (sent.includes('%') && !isEncodedText(sent)) throw refusal('')
  for (const part of [params, query, body, cookies]) {
    const field = illFormedAt(part)
    if (field !== null) throw refusal(field)
  }
}

/** A letter of a provider whose text or JSON is ill-formed. @throws Refusal 400 */
export function refuseIllFormedLetter(letter: string): void {
  const field = illFormedAt(letter) ?? illFormedAt(jsonOf(letter))
  if (field !== null) throw refusal(field)
}

function refusal(field: string) {
  return fail(commonErrors.malformed, { errors: [{ field, msg: sentence }] })
}

function isEncodedText(query: string): boolean {
  try {
    decodeURIComponent(query)
    return true
  } catch {
    return false
  }
}

function decoded(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function jsonOf(letter: string): unknown {
  if (!letter.includes('\\u')) return null
  try {
    return JSON.parse(letter)
  } catch {
    return null
  }
}
