import { approve } from './approve/app.ts'
import { attendManage, cloudAttend, cloudStudentAttend } from './attend/app.ts'
import { door } from './door/app.ts'
import { evaluate } from './evaluate/app.ts'
import { hall } from './hall/app.ts'
import { leave } from './leave/app.ts'
import { pushMessage } from './push-message/app.ts'
import type { AppManifest } from './shell/app.ts'

/** Every sub-application that is built. */
export const manifests: readonly AppManifest[] = [
  leave,
  approve,
  pushMessage,
  cloudAttend,
  cloudStudentAttend,
  hall,
  door,
  attendManage,
  evaluate,
]
