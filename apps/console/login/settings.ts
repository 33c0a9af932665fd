/** A demo account of the strip under the login form; shown by the demo profile alone. */
export type DemoAccount = { account: string; note: string; password?: string }

/** The public part of the server's configuration, written into index.html; nothing here is a secret, and what is not set is absent. */
export type PublicSettings = {
  env?: string
  profile?: string
  demo_accounts?: readonly DemoAccount[]
  /** demo only: login providers that can be tried offline */
  demo_providers?: readonly { label: string; start_url: string }[]
  filing_notice?: string
  /** what stands above every page, e.g. 预发布环境 */
  ribbon?: string
  /** an owner's own name and pictures for pages that belong to no school */
  brand_title?: string
  brand_logo?: string
  login_background?: string
  /** template of an outside map's address that shows a point; the server's CAMPUS_MAP_ADDRESS */
  map_address?: string
  /** which build answered: commit and time */
  build_id?: string
}

/** Reads the JSON block `campus-settings`; a missing or broken block means production without extras. It stands in the first bytes of the login page. */
export function parseSettings(text: string | null | undefined): PublicSettings {
  try {
    return JSON.parse(text ?? '') ?? {}
  } catch {
    return {}
  }
}

/** The settings of the page that is open. */
export function pageSettings(): PublicSettings {
  return parseSettings(document.getElementById('campus-settings')?.textContent)
}
