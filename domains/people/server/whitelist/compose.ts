import { importTemplatePort } from '@campus/jobs/server'
import type { App } from '@kit/server/http'
import { sealedPort } from '@kit/server/secrets'
import { changeEffectPort } from '../change/effect-port.ts'
import { whitelistEffect } from './ending.ts'
import { whitelist_sealed_part } from './logon.ts'
import { whitelistTemplate } from './whitelist.template.ts'

/** Everything of the whitelist that other parts of the product find by their ports. */
export function composeWhitelist(app: App): void {
  importTemplatePort.fill(app, whitelistTemplate)
  changeEffectPort.fill(app, whitelistEffect)
  sealedPort.fill(app, whitelist_sealed_part)
}
