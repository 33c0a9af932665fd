import { consumeCaptcha } from '@campus/identity/server'
import { peopleErrors } from '@campus/people/contract'
import type { PublicAct, PublicAnswer, PublicForm, PublicUploads } from '@campus/people/contract'
import { fail } from '@kit/contract'
import type { Refusal } from '@kit/contract'
import type { Pre } from '@kit/server/http'
import { asTables } from '@kit/server/db'
import type { PeopleDb } from '../db.ts'
import { countAddress } from './hits.ts'
import { publicDoorPort } from './public-port.ts'
import type { PublicKey } from './public-port.ts'
import { subjectIdx } from './values.ts'

/** What a public address shows. @throws Refusal 404 for an address that opens nothing */
export async function lookAt(pre: Pre, { key, field_scene = 1 }: { key: string; field_scene?: number | undefined }): Promise<PublicForm> {
  const asked = keyOf(key)
  for (const door of publicDoorPort.all(pre.app)) {
    const form = await door.look(pre, asked, field_scene)
    if (form) return form
  }
  throw fail(peopleErrors.registerLink)
}

/** Sends something in, or asks how it stands (chapter 20 rule 27). @throws Refusal 404, 409, 422, 429 */
export async function actOn(pre: Pre, { key, ...act }: { key: string } & PublicAct): Promise<PublicAnswer> {
  const asked = keyOf(key)
  pre.note({ school_id: asked.school_id, target_kind: 'people.register_entry' })
  return act.act === 'submit' ? submit(pre, asked, act) : status(pre, asked, act)
}

/** Forms by which a family uploads documents; one captcha, one set of forms. @throws Refusal 404, 409, 422, 429 */
export async function uploadsFor(pre: Pre, { key, ...proof }: { key: string; cap_key: string; captcha: string }): Promise<PublicUploads> {
  const asked = keyOf(key)
  pre.note({ school_id: asked.school_id, target_kind: 'people.freshmen_apply' })
  for (const door of publicDoorPort.all(pre.app)) {
    const give = await door.uploads?.(pre, asked)
    if (!give) continue
    await spendCaptcha(pre, proof)
    return give()
  }
  throw fail(peopleErrors.registerLink)
}

async function submit(pre: Pre, key: PublicKey, sent: Extract<PublicAct, { act: 'submit' }>): Promise<PublicAnswer> {
  for (const door of publicDoorPort.all(pre.app)) {
    const keep = await door.submit(pre, key, sent)
    if (!keep) continue
    await spendCaptcha(pre, sent)
    const answer = await keep()
    pre.note({ target_id: answer.apply_no })
    return answer
  }
  throw fail(peopleErrors.registerLink)
}

async function status(pre: Pre, key: PublicKey, asked: Extract<PublicAct, { act: 'status' }>): Promise<PublicAnswer> {
  await spendCaptcha(pre, asked)
  const refusal = await pre.own<unknown, Refusal | null>(key.school_id, db => countAddress(asTables<PeopleDb>(db), key.school_id, addressOf(pre, key.school_id, 'status'), pre.now))
  if (refusal) throw refusal
  for (const door of publicDoorPort.all(pre.app)) {
    const answer = await door.status(pre, key, asked)
    if (answer) return answer
  }
  throw fail(peopleErrors.registerUnknown)
}

/** The address of the caller as it is counted, apart for each act. */
export function addressOf(pre: Pre, school_id: number, act: 'submit' | 'status' | 'upload'): Buffer {
  return subjectIdx(pre.app.secrets, school_id, `${act}:${pre.request.ip}`)
}

async function spendCaptcha(pre: Pre, { cap_key, captcha }: { cap_key: string; captcha: string }): Promise<void> {
  const is_right = await pre.own<unknown, boolean>(0, db => consumeCaptcha(db, pre.app, { cap_key, kind: 'login', answer: captcha }, pre.now))
  if (!is_right) throw fail(peopleErrors.registerCaptcha, { errors: [{ field: 'captcha', msg: peopleErrors.registerCaptcha.msg }] })
}

function keyOf(key: string): PublicKey {
  const [school = '', secret = ''] = key.split('-')
  return { school_id: Number(school), secret }
}
