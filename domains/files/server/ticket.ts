import { createHash, createHmac } from 'node:crypto'
import type { UploadForm } from '@campus/files/contract'
import type { App } from '@kit/server/http'
import type { Credentials } from './store/signing.ts'

/** The embedded store signs its forms as the others do, with a secret of its own. */
export function embeddedKey({ secrets }: App): Credentials {
  return { access_key_id: 'embedded', access_key_secret: createHmac('sha256', secrets.token_key).update('files.form').digest('hex') }
}

/** The name of a form in the table of tickets: who holds policy and signature has it, from the name neither can be told. */
export function ticketHash(policy: string, signature: string): Buffer {
  return createHash('sha256').update(`${policy}.${signature}`).digest()
}

/** The ticket of a form that was sent, under whichever names its store has for policy and signature. */
export function ticketOf(form: UploadForm): Buffer | null {
  const { policy, Signature, token } = form
  const [, token_signature, token_policy] = token?.split(':') ?? []
  const signature = Signature ?? form['x-amz-signature'] ?? token_signature
  const signed = policy ?? token_policy
  return signature === undefined || signed === undefined ? null : ticketHash(signed, signature)
}
