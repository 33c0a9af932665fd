import type { App } from '@kit/server/http'

/** How a school runs one sub-application today. */
export type SubAppSetting = {
  /** the module is licensed and switched on today */
  enabled: boolean
  /** it stands in the menu; a closed entry still opens where another page leads to it */
  entry_open: boolean
  /** a partner's address; null = our own pages under `/mini/` */
  address: string | null
  sign_mode: 'hmac' | 'md5'
  /** the secret shared with the partner; null = a key of this installation */
  secret: string | null
  /** origins of other sites that may show our own pages in a frame */
  frame_origins: readonly string[]
  /** where the partner gives out tokens of its own; null = nowhere */
  token_url: string | null
}

/** Secrets are opened by the keys of the installation; what holds today is asked of its clock. */
export type SettingDesk = { app: Pick<App, 'clock' | 'secrets'> }
