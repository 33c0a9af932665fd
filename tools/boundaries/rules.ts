import type { IRegularForbiddenRuleType } from 'dependency-cruiser'
import { allowedFor } from './tiers.ts'
import type { Domain } from './tiers.ts'

/** What a domain's tests share: it may start the server as they do. */
const testing = '^domains/[^/]+/server/testing/'
const test = '\\.test\\.tsx?$'
const builders = '^domains/[^/]+/server/builders\\.ts$'
const public_face = '^domains/[^/]+/(contract|server|web)/index\\.ts$'
const config_file = '\\.config\\.ts$'
const modules = (...names: string[]) => `node_modules/(${names.join('|')})/`

type Rule = IRegularForbiddenRuleType
const rule = (name: string, comment: string, from: Rule['from'], to: Rule['to']): Rule => ({ name, comment, severity: 'error', from, to })

/** Every boundary of the house as dependency-cruiser rules; tiers and edges come from the domains of the tree. */
export function rulesOf(domains: Domain[]): Rule[] {
  return [...graphRules, ...sideRules, ...kitRules, ...entryRules, ...domains.flatMap(d => tierRules(d, domains))]
}

const graphRules: Rule[] = [
  rule('no-cycle', 'imports never go round in a circle', {}, { circular: true }),
  rule('resolvable', 'every import must lead to a file', {}, { couldNotResolve: true }),
  rule('public-face', 'of another domain only contract, server and web indexes are public (tests also use its builders)',
    { path: '^domains/([^/]+)/', pathNot: test },
    { path: '^domains/', pathNot: ['^domains/$1/', public_face] }),
  rule('public-face', 'of another domain only contract, server and web indexes are public (tests also use its builders)',
    { path: ['^domains/([^/]+)/.*\\.test\\.tsx?$'] },
    { path: '^domains/', pathNot: ['^domains/$1/', public_face, builders] }),
  rule('public-face', 'outside domains/ only the three public indexes of a domain may be imported (tests also use its builders)',
    { path: '^(apps|kit|tools)/', pathNot: test },
    { path: '^domains/', pathNot: public_face }),
  rule('public-face', 'outside domains/ only the three public indexes of a domain may be imported (tests also use its builders)',
    { path: ['^(e2e|bench)/', test], pathNot: '^domains/' },
    { path: '^domains/', pathNot: [public_face, builders] }),
  rule('no-test-import', 'a test file is imported by nobody', {}, { path: test }),
]

const sideRules: Rule[] = [
  rule('contract-side', 'a contract imports no server and no web side',
    { path: '^(domains/[^/]+|kit)/contract/' },
    { path: '^(domains/[^/]+/(server|web)|kit/(server|web))/' }),
  rule('web-side', 'the web side imports no server',
    { path: '^(domains/[^/]+/web|kit/web|apps/(board|console|mini|terminal-console))/', pathNot: config_file },
    { path: '^(domains/[^/]+/server|kit/server|apps/server)/' }),
  rule('server-side', 'the server imports no web side and nothing of the browser',
    { path: '^(domains/[^/]+/server|kit/server|apps/server)/' },
    { path: ['^(domains/[^/]+/web|kit/web|apps/console)/', modules('react', 'react-dom', 'antd', '@ant-design', '@tanstack')] }),
  rule('browser-side', 'what runs in the browser imports no Node module',
    { path: '^(domains/[^/]+/(contract|web)|kit/(contract|web)|kit/terminal-protocol/(console|rule|card/card-format)|apps/(board|console|mini|terminal-console))/', pathNot: [test, config_file] },
    { dependencyTypes: ['core'] }),
  rule('through-kit', 'domains reach the database and HTTP through kit/server, never by the driver',
    { path: '^domains/', pathNot: test },
    { path: modules('pg', '@electric-sql/pglite', 'fastify', '@fastify') }),
]

const kitRules: Rule[] = [
  rule('kit-below', 'kit knows no domain and no app', { path: '^kit/' }, { path: '^(domains|apps)/' }),
  rule('kit-contract', 'kit/contract imports nothing but zod',
    { path: '^kit/contract/', pathNot: ['^kit/contract/(checks|sm2)[./]', test] },
    { pathNot: ['^kit/contract/', modules('zod')] }),
  rule('kit-checks', 'kit/contract/checks imports nothing: the login page carries it',
    { path: '^kit/contract/checks/', pathNot: test },
    { pathNot: '^kit/contract/checks/' }),
  rule('kit-sm2', 'kit/contract/sm2 imports nothing but sm-crypto-v2 and noble curves',
    { path: '^kit/contract/sm2[./]', pathNot: test },
    { pathNot: ['^kit/contract/sm2[./]', modules('sm-crypto-v2'), modules('@noble/curves')] }),
]

const entryRules: Rule[] = [
  rule('login-page', 'the login page stays light: kit/contract/checks, kit/contract/sm2 and react only (types weigh nothing)',
    { path: '^apps/console/login/', pathNot: test },
    { dependencyTypesNot: ['type-only'], pathNot: ['^apps/console/login/', '^kit/contract/(checks|sm2)[./]', modules('react', 'react-dom', '@types/react', '@types/react-dom')] }),
  rule('mini-light', 'a phone loads no antd and no schema: contracts as types only, and in manifests (chapter 80 M15)',
    { path: '^apps/mini/', pathNot: [test, config_file, '^apps/mini/(manifest|[a-z-]+/app)\\.ts$'] },
    { dependencyTypesNot: ['type-only'], pathNot: ['^apps/mini/', '^kit/contract/(checks|sm2|search)[./]', modules('react', 'react-dom', '@types/react', '@types/react-dom')] }),
  rule('device-console-light', 'a terminal serves its console itself: what terminal and page share, the checks, react and i18next only (types weigh nothing)',
    { path: '^apps/terminal-console/', pathNot: [test, config_file] },
    { dependencyTypesNot: ['type-only'], pathNot: ['^apps/terminal-console/', '^kit/terminal-protocol/(console|card)/index\\.ts$', '^kit/contract/checks/', modules('react', 'react-dom', 'i18next', '@types/react', '@types/react-dom')] }),
  rule('device-console-light', 'what the page of a terminal loads carries no schema',
    { path: '^kit/terminal-protocol/(console/|card/(card-format|index)\\.ts$)', pathNot: test },
    { dependencyTypesNot: ['type-only'], pathNot: ['^kit/terminal-protocol/(console/|card/card-format\\.ts$)', '^kit/terminal-protocol/(rule/rule-at|jdev/setting-fields|config/field)\\.ts$', '^kit/contract/checks/'] }),
  rule('apps-apart', 'an app imports no other app; the server reads which calls each sub-application may make', { path: '^apps/([^/]+)/' }, { path: '^apps/', pathNot: ['^apps/$1/', '^apps/mini/manifest\\.ts$'] }),
  rule('apps-above', 'no domain imports an app (its tests start the server by apps/server/testing)', { path: '^domains/', pathNot: [test, testing] }, { path: '^apps/' }),
  rule('apps-above', 'no domain imports an app (its tests start the server by apps/server/testing and play devices by apps/terminal)', { path: ['^domains/.*\\.test\\.tsx?$', testing] }, { path: '^apps/', pathNot: ['^apps/server/testing/', '^apps/terminal/index\\.ts$'] }),
  rule('tools-apart', 'the product imports nothing of tools, e2e or bench', { path: '^(kit|domains|apps)/' }, { path: '^(tools|e2e|bench)/' }),
]

const anyOf = (names: string[]) => `^domains/(${names.join('|')})/`

function tierRules(domain: Domain, all: Domain[]): Rule[] {
  const { lower, edges, same } = allowedFor(domain, all)
  const from = { path: `^domains/${domain.name}/` }
  const undeclared = same.filter(name => !edges.includes(name))
  const higher = all.map(d => d.name).filter(name => ![domain.name, ...lower, ...same].includes(name))
  return [
    ...(undeclared.length > 0 ? [rule('tier-edge', `${domain.name} has no declared edge to this domain of its tier`, from, { path: anyOf(undeclared) })] : []),
    ...(higher.length > 0 ? [rule('tier-up', `${domain.name} may import lower tiers only`, from, { path: anyOf(higher) })] : []),
  ]
}
