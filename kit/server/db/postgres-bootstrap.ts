import pg from 'pg'
import { APP_ROLE, OWNER_ROLE, roleSql } from './roles.ts'

/** Passwords of the two roles, and their names where they are not campus_owner and campus_app. */
export type BootstrapOptions = { owner_password: string; app_password: string; owner_role?: string; app_role?: string }

/**
 * Prepares the database named by a superuser's URL: creates both roles (or sets their passwords), the extensions and the grants. May run
 * again at any time. Answers the URLs for DATABASE_URL and DATABASE_OWNER_URL.
 */
export async function bootstrapPostgres(admin_url: string, options: BootstrapOptions): Promise<{ url: string; owner_url: string }> {
  const { owner_password, app_password, owner_role: owner = OWNER_ROLE, app_role: app = APP_ROLE } = options
  const client = new pg.Client({ connectionString: admin_url })
  await client.connect()
  try {
    const { rows } = await client.query('select current_database() as database')
    await client.query(`begin; ${roleSql({ database: rows[0].database, owner, app, owner_password, app_password })} commit`)
  } finally {
    await client.end()
  }
  return { url: urlAs(admin_url, app, app_password), owner_url: urlAs(admin_url, owner, owner_password) }
}

function urlAs(admin_url: string, role: string, password: string): string {
  const url = new URL(admin_url)
  url.username = encodeURIComponent(role)
  url.password = encodeURIComponent(password)
  return url.href
}
