import { sub_app_codes, subApps } from '@campus/school/contract'
import type { SubAppCode } from '@campus/school/contract'

/** Clients of the phone: whose modules and permissions an app role describes. */
export const app_kinds = ['teacher', 'parent', 'student'] as const
export type AppKind = (typeof app_kinds)[number]

/** A module of an app client is a sub-application. */
export type AppModuleCode = SubAppCode

const everyone: readonly AppKind[] = app_kinds
const staff: readonly AppKind[] = ['teacher']
const family: readonly AppKind[] = ['teacher', 'parent']

/** For whom each sub-application is made (chapter 80 §5). */
const kinds_of: Readonly<Record<AppModuleCode, readonly AppKind[]>> = {
  dorm: everyone, dorm_new: staff, leave: everyone, approve: family, pushMessage: everyone, cloudAttend: staff, cloudStudentAttend: everyone,
  hall: everyone, door: ['teacher', 'student'], privacy: everyone, cloudFee: everyone, cloudWater: everyone, cloudDish: everyone, cloudScale: staff,
  analyse: staff, repair: everyone, fee: family, voice: everyone, schoolBus: family, attendManage: staff, evaluate: everyone, park: staff,
}

const title_of = new Map<string, string>(subApps.map(({ code, title }) => [code, title]))

/** The name of a module. */
export function appModuleName(code: AppModuleCode): string {
  return title_of.get(code) ?? code
}

/** Modules that a client of a kind of school (1 school, 2 enterprise) can show at all, in the product's order, whatever the school has licensed. */
export function modulesFor(kind: AppKind, school_type: number): AppModuleCode[] {
  return subApps.filter(({ code, school_types }) => kinds_of[code].includes(kind) && school_types.some(type => type === school_type)).map(({ code }) => code)
}

/** A module the product still knows; rows of the past may name others. */
export function isAppModule(code: string): code is AppModuleCode {
  return sub_app_codes.some(known => known === code)
}
