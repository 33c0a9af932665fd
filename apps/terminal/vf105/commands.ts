import type { Answer } from './answer.ts'
import { control, upgrade } from './control.ts'
import type { Effect, Wanted } from './control.ts'
import { clearKeys, deleteKeys, getKeys, insertKeys, modifyKeys } from './keys.ts'
import { clearPermissions, clearSecurities, deletePermissions, deleteSecurities, getPermissions, getSecurities, insertPermissions, insertSecurities, modifyPermissions } from './permissions.ts'
import { documented, tooMuch } from './quirks.ts'
import type { Quirks } from './quirks.ts'
import { deleteRecords, getRecords } from './records.ts'
import { getConfig, setConfig } from './settings.ts'
import type { After } from './settings.ts'
import type { Vf105Store } from './store.ts'
import { clearUsers, deleteUsers, getUsers, insertUsers, modifyUsers } from './users.ts'

type Done = { answer: Answer; after?: After; effect?: Effect; wanted?: Wanted }

const plain: Readonly<Record<string, (store: Vf105Store, data: unknown) => Answer>> = {
  getConfig, insertUser: insertUsers, delUser: deleteUsers, clearUser: clearUsers, getUser: getUsers, modifyUser: modifyUsers, insertKey: insertKeys, getKey: getKeys, delKey: deleteKeys, clearKey: clearKeys, modifyKey: modifyKeys,
  insertPermission: insertPermissions, getPermission: getPermissions, delPermission: deletePermissions, clearPermission: clearPermissions, modifyPermission: modifyPermissions,
  insertSecurity: insertSecurities, getSecurity: getSecurities, delSecurity: deleteSecurities, clearSecurity: clearSecurities, getRecords, delRecords: deleteRecords,
}

/** Every action that the device knows (25). */
export const actions: readonly string[] = [...Object.keys(plain), 'setConfig', 'control', 'upgradeFirmware']

/** Does a command; undefined for an action that the device does not know, which it passes over in silence. */
export function perform(store: Vf105Store, action: string, data: unknown, quirks: Quirks = documented()): Done | undefined {
  if (action === 'setConfig') return setConfig(store, data, quirks)
  if (action === 'control') return control(data)
  if (action === 'upgradeFirmware') return upgrade(data)
  const work = Object.hasOwn(plain, action) ? plain[action] : undefined
  return work && { answer: tooMuch(data, quirks) ?? work(store, data) }
}
