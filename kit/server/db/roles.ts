import pg from 'pg'

/** Names of the two roles inside the embedded engine, and their usual names on a server. */
export const OWNER_ROLE = 'campus_owner'
export const APP_ROLE = 'campus_app'

/** Who the two roles of a database are; without passwords they cannot log in (embedded engine). */
export type RolePlan = { database: string; owner: string; app: string; owner_password?: string; app_password?: string }

/**
 * SQL, run by a superuser any number of times, that creates the two roles, the extensions and the rights between them. Neither role is a
 * superuser or bypasses row-level security; the app role owns nothing and cannot create anything.
 */
export function roleSql(plan: RolePlan): string {
  const [database, owner, app] = [plan.database, plan.owner, plan.app].map((name) => pg.escapeIdentifier(name))
  return `
    ${createRole(plan.owner, plan.owner_password)}
    ${createRole(plan.app, plan.app_password)}
    create extension if not exists btree_gist;
    create extension if not exists pg_trgm;
    alter schema public owner to ${owner};
    revoke all on schema public from public;
    grant usage on schema public to ${app};
    revoke temporary on database ${database} from public;
    grant connect, create, temporary on database ${database} to ${owner};
    grant connect on database ${database} to ${app};`
}

function createRole(name: string, password: string | undefined): string {
  const role = pg.escapeIdentifier(name)
  const login = password === undefined ? 'nologin' : `login password ${pg.escapeLiteral(password)}`
  return `
    do $role$ begin
      if not exists (select from pg_roles where rolname = ${pg.escapeLiteral(name)}) then create role ${role}; end if;
    end $role$;
    alter role ${role} nosuperuser nobypassrls nocreatedb nocreaterole noreplication ${login};`
}
