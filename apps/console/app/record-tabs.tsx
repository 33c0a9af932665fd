import { ProviderTab } from '@campus/identity/web'
import { MessageSettings } from '@campus/messages/web'
import { PeopleOverview, RegisterState } from '@campus/people/web'
import type { SchoolCard, SchoolTab } from '@campus/school/web'
import type { ReactNode } from 'react'
import { recheck } from './account/recheck.ts'

/** Tabs of 学校信息 that other domains contribute. */
export const recordTabs: readonly SchoolTab[] = [
  { key: 'providers', label: '登录方式', call: ['school.provider.edit'], Tab: ProvidersTab },
  { key: 'messages', label: '消息通道', call: ['messages.setting.edit', 'messages.message.view'], Tab: MessagesTab },
]

/** Cards beside 基本信息 that other domains contribute. */
export const recordCards: readonly SchoolCard[] = [
  { key: 'people', title: '人员概况', call: ['people.student.view', 'people.dept.view'], Card: PeopleOverview },
  { key: 'register', title: '开放登记', call: ['people.register.config'], Card: RegisterState },
]

function ProvidersTab(): ReactNode {
  return <ProviderTab recheck={recheck} />
}

function MessagesTab(): ReactNode {
  return <MessageSettings recheck={recheck} />
}
