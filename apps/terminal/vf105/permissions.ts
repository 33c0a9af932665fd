import { row_errors } from '@kit/terminal-protocol/vf105'
import { z } from 'zod'
import { asObject, done, doneBut, isAnswer, pageOf, readBatch } from './answer.ts'
import type { Answer } from './answer.ts'
import { Permission, Security } from './store.ts'
import type { Vf105Store } from './store.ts'

const Id = z.string().regex(/^[A-Za-z0-9]{1,128}$/u)

export function insertPermissions(store: Vf105Store, data: unknown): Answer {
  return eachPermission(data, sent => put(store, sent))
}

/** modifyPermission: it must be there; `extra` that was not sent is empty. */
export function modifyPermissions(store: Vf105Store, data: unknown): Answer {
  return eachPermission(data, sent => (store.permissions.has(String(sent.permissionId)) ? put(store, sent) : row_errors.permission))
}

/** delPermission: also takes it from everybody who has it. */
export function deletePermissions(store: Vf105Store, data: unknown): Answer {
  const batch = readBatch(Array.isArray(data) ? data : asObject(data).permissionIds)
  if (isAnswer(batch)) return batch
  return doneBut(batch.map(String).flatMap(permissionId => {
    if (!store.permissions.delete(permissionId)) return [{ permissionId, errmsg: row_errors.permission }]
    for (const user of store.users.values()) user.permissionIds = user.permissionIds.filter(id => id !== permissionId)
    return []
  }))
}

export function clearPermissions(store: Vf105Store): Answer {
  return store.permissions.size === 0 ? done() : deletePermissionsOf(store)
}

function deletePermissionsOf(store: Vf105Store): Answer {
  store.permissions.clear()
  for (const user of store.users.values()) user.permissionIds = []
  return done()
}

export function getPermissions(store: Vf105Store, data: unknown): Answer {
  const asked = asObject(data)
  return pageOf([...store.permissions.values()].filter(one => asked.permissionId === undefined || one.permissionId === asked.permissionId), asked)
}

export function insertSecurities(store: Vf105Store, data: unknown): Answer {
  const batch = readBatch(data)
  if (isAnswer(batch)) return batch
  return doneBut(batch.flatMap(sent => {
    const read = Security.safeParse(sent)
    if (read.success) store.securities.set(read.data.securityId, read.data)
    return read.success ? [] : [{ securityId: String(asObject(sent).securityId ?? ''), errmsg: 'securityId格式错误' }]
  }))
}

export function deleteSecurities(store: Vf105Store, data: unknown): Answer {
  const batch = readBatch(data)
  if (isAnswer(batch)) return batch
  return doneBut(batch.map(String).flatMap(securityId => (store.securities.delete(securityId) ? [] : [{ securityId, errmsg: 'security not found' }])))
}

export function clearSecurities(store: Vf105Store): Answer {
  store.securities.clear()
  return done()
}

export function getSecurities(store: Vf105Store, data: unknown): Answer {
  return pageOf([...store.securities.values()], asObject(data))
}

function eachPermission(data: unknown, work: (sent: Record<string, unknown>) => string | undefined): Answer {
  const batch = readBatch(data)
  if (isAnswer(batch)) return batch
  return doneBut(batch.flatMap(one => {
    const sent = asObject(one)
    const errmsg = work(sent)
    return errmsg === undefined ? [] : [{ permissionId: String(sent.permissionId ?? ''), errmsg }]
  }))
}

function put(store: Vf105Store, sent: Record<string, unknown>): string | undefined {
  if (!Id.safeParse(sent.permissionId).success) return 'permissionId格式错误'
  const read = Permission.safeParse({ index: 0, extra: {}, ...sent })
  if (!read.success || (read.data.time.type !== 0 && !read.data.time.range)) return row_errors.permission_time
  store.permissions.set(read.data.permissionId, read.data)
  return undefined
}
