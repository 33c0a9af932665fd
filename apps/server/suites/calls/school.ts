import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { clientErrorApi, dictionaryApi, navigationApi, preferenceApi, publicFileApi, schoolApi } from '@campus/school/contract'
import { buildersOf } from '../world.ts'
import type { Builder } from '../world.ts'

const app_code = 'app_education_platform' as const

export const schoolCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(schoolApi, {
    face: world => ({ input: { id: world.school_id } }),
    config: world => ({ input: { id: world.school_id } }),
    info: () => ({ input: {} }),
  }),
  ...buildersOf(clientErrorApi, {
    report: () => ({ input: { route: '/ParentsRecord', name: 'TypeError', hash: 'a1b2c3', version: '1.4.9' } }),
  }),
  ...buildersOf(navigationApi, { list: world => ({ input: { role_id: world.me.role_id, app_code } }) }),
  ...buildersOf(dictionaryApi, {
    all: world => ({ input: { school_id: world.school_id } }),
    item: () => ({ input: { sc_code_type: 'SEX' } }),
  }),
  ...buildersOf(preferenceApi, {
    read: () => ({ input: { pref_key: 'quick_navs' } }),
    save: () => ({ input: { pref_key: 'quick_navs', value: ['/ParentsRecord'] } }),
  }),
  ...buildersOf(publicFileApi, {
    read: async world => {
      const { files } = world.app.running.app
      const path = files.pathOf(`${world.school_id}/logo/mark.svg`)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, '<svg xmlns="http://www.w3.org/2000/svg"/>')
      return { input: { school_id: world.school_id, purpose: 'logo' as const, name: 'mark.svg' } }
    },
  }),
])
