import { row_errors } from '@kit/terminal-protocol/vf105'
import { z } from 'zod'
import { asObject, done, doneBut, isAnswer, pageOf, readBatch } from './answer.ts'
import type { Answer } from './answer.ts'
import type { Vf105Store } from './store.ts'

const Id = z.string().min(1).max(128).regex(/^(?!.*\.\.)[^/\\]+$/u)
const Name = z.string().min(1).max(128)

/** insertUser: the whole row takes the place of the one before; what was not sent is empty. */
export function insertUsers(store: Vf105Store, data: unknown): Answer {
  return eachUser(data, (userId, sent) => put(store, userId, sent, asObject(sent.extra)))
}

/** modifyUser: `extra` is merged, but permissions that were not sent are taken away. */
export function modifyUsers(store: Vf105Store, data: unknown): Answer {
  return eachUser(data, (userId, sent) => {
    const before = store.users.get(userId)
    return before ? put(store, userId, { name: before.name, ...sent }, { ...before.extra, ...asObject(sent.extra) }) : row_errors.person
  })
}

/** delUser: with everything by which the person is known; what permissions are stays. */
export function deleteUsers(store: Vf105Store, data: unknown): Answer {
  const batch = readBatch(data)
  if (isAnswer(batch)) return batch
  return doneBut(batch.flatMap(id => {
    const userId = String(id)
    if (!store.users.delete(userId)) return [{ userId, errmsg: row_errors.person }]
    for (const key of [...store.keys.values()].filter(one => one.userId === userId)) store.keys.delete(key.keyId)
    return []
  }))
}

export function clearUsers(store: Vf105Store): Answer {
  store.users.clear()
  store.keys.clear()
  return done()
}

export function getUsers(store: Vf105Store, data: unknown): Answer {
  const asked = asObject(data)
  const { userId, name, keyword } = asked
  const has = (text: string, part: unknown) => typeof part !== 'string' || part === '' || text.includes(part)
  return pageOf([...store.users.values()].filter(user => (userId === undefined || user.userId === userId) && has(user.name, name) && (has(user.userId, keyword) || has(user.name, keyword))), asked)
}

function eachUser(data: unknown, work: (userId: string, sent: Record<string, unknown>) => string | undefined): Answer {
  const batch = readBatch(data)
  if (isAnswer(batch)) return batch
  return doneBut(batch.flatMap(one => {
    const sent = asObject(one)
    const id = Id.safeParse(sent.userId)
    const errmsg = id.success ? work(id.data, sent) : row_errors.user_id
    return errmsg === undefined ? [] : [{ userId: String(sent.userId ?? ''), errmsg }]
  }))
}

function put(store: Vf105Store, userId: string, { name, permissionIds = [] }: Record<string, unknown>, extra: Record<string, unknown>): string | undefined {
  const read = Name.safeParse(name)
  if (!read.success) return row_errors.name
  const ids = z.array(z.string()).safeParse(permissionIds)
  if (!ids.success) return row_errors.permission_ids
  const fault = checkerFault(userId, asObject(extra.dualVerify))
  if (fault !== undefined) return fault
  if (ids.data.some(id => !store.permissions.has(id))) return row_errors.permission
  store.users.set(userId, { userId, name: read.data, permissionIds: ids.data, extra })
  return undefined
}

function checkerFault(userId: string, { mode, userIds }: Record<string, unknown>): string | undefined {
  if (mode !== 'specified') return undefined
  const chosen = z.array(z.string()).catch([]).parse(userIds)
  if (chosen.length === 0) return row_errors.no_checkers
  return chosen.includes(userId) ? row_errors.self_check : undefined
}
