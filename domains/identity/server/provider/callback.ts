import type { ProviderAdapter, ProviderShape } from '@campus/identity/contract'
import type { Config } from '@kit/server/config'

type Target = { shape: ProviderShape; adapter: ProviderAdapter; settings: Readonly<Record<string, string>> }

/**
 * Where a provider sends people back to: the school's login page with what marks the shape; the provider adds its code and our state. Without
 * CAMPUS_PUBLIC_URL it is a path, which no provider takes.
 */
export function callbackOf({ CAMPUS_PUBLIC_URL = '' }: Pick<Config, 'CAMPUS_PUBLIC_URL'>, school_id: number, { shape, adapter, settings }: Target): string {
  const marks: Readonly<Record<ProviderShape, Record<string, string>>> = {
    A: { auto_login: '1' },
    B: { appid: settings.corp_id ?? settings.app_key ?? '' },
    C: { type: adapter },
    D: { school_id: String(school_id) },
  }
  return `${CAMPUS_PUBLIC_URL.replace(/\/$/, '')}/${school_id}?${new URLSearchParams(marks[shape])}`
}
