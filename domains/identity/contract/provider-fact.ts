/** The four ways in which an outside system sends somebody back to us; each has its own call (product spec §2 Login). */
export const provider_shapes = ['A', 'B', 'C', 'D'] as const
export type ProviderShape = (typeof provider_shapes)[number]

/** Who can be asked who somebody is. */
export const provider_adapters = ['wecom', 'weixiao', 'oidc', 'one_time_code', 'test'] as const
export type ProviderAdapter = (typeof provider_adapters)[number]

/** By what an outside person is found here, beside what has been bound by hand. */
export const match_kinds = ['external_bind', 'user_no', 'phone'] as const
export type MatchKind = (typeof match_kinds)[number]

export const provider_icons = ['wecom', 'weixiao', 'oidc', 'key', 'test'] as const
export type ProviderIcon = (typeof provider_icons)[number]

/** One setting of an adapter with what it is and where it is found, in plain words. `choices`: one of these instead of free text. */
export type ProviderField = { key: string; label: string; help: string; required?: true; fallback?: string; pattern?: RegExp; wrong?: string; choices?: readonly { value: string; label: string }[] }

/** What an adapter is and what it wants to know. `secret` null: it has none. */
export type AdapterFact = {
  name: string
  about: string
  icon: ProviderIcon
  shapes: readonly ProviderShape[]
  /** false: nobody begins it at the login page, people come with a link */
  is_offered: boolean
  fields: readonly ProviderField[]
  secret: { label: string; help: string; required?: true } | null
  matches: readonly MatchKind[]
}

const whole_number = /^\d{1,12}$/
const word = /^[A-Za-z0-9_-]{1,64}$/

/** Adapters with everything the settings form says about them. */
export const adapter_facts: Readonly<Record<ProviderAdapter, AdapterFact>> = {
  wecom: {
    name: '企业微信',
    about: '教职工用企业微信扫码，或在企业微信中直接打开。',
    icon: 'wecom',
    shapes: ['A', 'B'],
    is_offered: true,
    fields: [
      { key: 'corp_id', label: '企业ID', help: '企业微信管理后台 → 我的企业 → 企业信息，最下方的“企业ID”。', required: true, pattern: word, wrong: '企业ID只能由字母、数字、下划线组成' },
      { key: 'agent_id', label: '应用AgentId', help: '应用管理 → 自建应用详情页中的“AgentId”，纯数字。', required: true, pattern: whole_number, wrong: 'AgentId为纯数字' },
      {
        key: 'entry',
        label: '登录入口',
        help: '在企业微信内打开时免扫码；在电脑浏览器中扫码。',
        fallback: 'both',
        choices: [{ value: 'both', label: '自动选择' }, { value: 'scan', label: '仅扫码' }, { value: 'web', label: '仅企业微信内' }],
      },
    ],
    secret: { label: '应用Secret', help: '自建应用详情页中的“Secret”，保存后不再显示。', required: true },
    matches: ['external_bind', 'user_no', 'phone'],
  },
  weixiao: {
    name: '腾讯微校',
    about: '师生用微校统一身份登录。',
    icon: 'weixiao',
    shapes: ['B', 'A'],
    is_offered: true,
    fields: [
      { key: 'app_key', label: '应用AppKey', help: '微校开放平台 → 应用详情中的“AppKey”。', required: true, pattern: word, wrong: 'AppKey只能由字母、数字、下划线组成' },
      { key: 'ocode', label: '学校编码', help: '微校为学校分配的编码（ocode），只接受该校人员。', required: true, pattern: word, wrong: '学校编码只能由字母、数字、下划线组成' },
    ],
    secret: { label: '应用AppSecret', help: '应用详情中的“AppSecret”，保存后不再显示。', required: true },
    matches: ['external_bind', 'user_no', 'phone'],
  },
  oidc: {
    name: '统一身份认证（OIDC）',
    about: '用学校或教育局的统一身份认证登录（OpenID Connect）。',
    icon: 'oidc',
    shapes: ['C'],
    is_offered: true,
    fields: [
      { key: 'issuer', label: '认证服务地址', help: '认证服务的签发者地址（issuer），以 https:// 开头；所在主机须由平台管理员放行。', required: true, pattern: /^https?:\/\/[^\s?#]{1,190}$/, wrong: '认证服务地址格式不正确' },
      { key: 'client_id', label: '客户端ID', help: '在认证服务中登记本系统后得到的“client_id”。', required: true, pattern: /^[\x21-\x7E]{1,128}$/, wrong: '客户端ID格式不正确' },
      { key: 'scope', label: '申请的范围', help: '默认 openid profile；按手机号匹配时加 phone。', fallback: 'openid profile', pattern: /^openid( [\x21-\x7E]{1,60}){0,8}$/, wrong: '范围须以 openid 开头，用空格分隔' },
      { key: 'user_no_claim', label: '人员编号字段', help: '认证结果中存放人员编号（学号、工号）的字段名，按人员编号匹配时使用。', fallback: 'preferred_username', pattern: word, wrong: '字段名只能由字母、数字、下划线组成' },
    ],
    secret: { label: '客户端密钥', help: '登记时得到的“client_secret”；公开客户端留空。保存后不再显示。' },
    matches: ['external_bind', 'user_no', 'phone'],
  },
  one_time_code: {
    name: '一次性登录码',
    about: '管理员或子应用为某个账号生成的登录链接，几分钟内打开一次有效。',
    icon: 'key',
    shapes: ['D'],
    is_offered: false,
    fields: [
      {
        key: 'minutes',
        label: '有效时间',
        help: '生成后多久内有效，最长5分钟。',
        fallback: '5',
        choices: ['1', '2', '3', '4', '5'].map(value => ({ value, label: `${value}分钟` })),
      },
    ],
    secret: null,
    matches: ['external_bind'],
  },
  test: {
    name: '演示登录',
    about: '列出演示账号，点击即登录；仅演示和测试环境可用。',
    icon: 'test',
    shapes: ['A', 'B', 'C', 'D'],
    is_offered: true,
    fields: [],
    secret: null,
    matches: ['external_bind'],
  },
}

/** What each shape is called, and the parameters with which people come back. */
export const shape_facts: Readonly<Record<ProviderShape, { name: string; parameters: string }>> = {
  A: { name: '方式A', parameters: 'wxcode、state、auto_login' },
  B: { name: '方式B', parameters: 'appid、code' },
  C: { name: '方式C', parameters: 'code、type、token' },
  D: { name: '方式D', parameters: 'code、school_id' },
}

export const match_words: Readonly<Record<MatchKind, readonly [name: string, help: string]>> = {
  external_bind: ['仅手工绑定', '本人用密码登录一次后绑定，最稳妥。'],
  user_no: ['人员编号', '对方返回的编号与学号、工号一致即为本人；对方的编号须由学校统一管理。'],
  phone: ['手机号', '对方返回的手机号与档案一致且唯一即为本人。'],
}

/** The settings as they are used: unknown keys gone, blanks filled with their fallback. */
export function settingsOf(adapter: ProviderAdapter, given: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(adapter_facts[adapter].fields.map(({ key, fallback = '' }) => [key, given[key]?.trim() || fallback]))
}

/** What is wrong with the settings of an adapter, field by field; empty when they can be used. */
export function checkSettings(adapter: ProviderAdapter, given: Readonly<Record<string, string>>): { field: string; msg: string }[] {
  const used = settingsOf(adapter, given)
  return adapter_facts[adapter].fields.flatMap(field => {
    const value = used[field.key] ?? ''
    const msg = value === '' ? field.required && `请填写${field.label}` : !isFitting(field, value) && (field.wrong ?? `${field.label}不正确`)
    return msg ? [{ field: `settings.${field.key}`, msg }] : []
  })
}

function isFitting({ pattern, choices }: ProviderField, value: string): boolean {
  return choices ? choices.some(choice => choice.value === value) : (pattern?.test(value) ?? true)
}
