/** A demo account of the strip under the login form; shown by the demo profile alone. */
export type DemoAccount = { account: string; note: string; password?: string }

/** The public part of the server's configuration, written into index.html; nothing here is a secret. */
export type PublicSettings = {
  env: string
  profile: string
  demo_accounts: readonly DemoAccount[]
  filing_notice: string | null
}

/** Reads the JSON block `campus-settings`; a missing or broken block means production without extras. */
export function parseSettings(text: string | null | undefined): PublicSettings {
  const given = parse(text)
  return {
    env: given.env ?? 'prod',
    profile: given.profile ?? '',
    demo_accounts: given.demo_accounts ?? [],
    filing_notice: given.filing_notice || null,
  }
}

function parse(text: string | null | undefined): Partial<PublicSettings> {
  try {
    const given: Partial<PublicSettings> | null = JSON.parse(text ?? '{}')
    return given ?? {}
  } catch {
    return {}
  }
}
