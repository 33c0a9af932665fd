import { appModuleName } from '@campus/identity/contract'
import type { AppModuleCode } from '@campus/identity/contract'
import {
  AppstoreOutlined, AuditOutlined, BankOutlined, BarChartOutlined, CalendarOutlined, CarOutlined, CarryOutOutlined, ClockCircleOutlined, CoffeeOutlined, CreditCardOutlined,
  DashboardOutlined, EnvironmentOutlined, ExperimentOutlined, HomeOutlined, KeyOutlined, NotificationOutlined, PhoneOutlined, SafetyCertificateOutlined, ScheduleOutlined,
  StarOutlined, ToolOutlined, WalletOutlined,
} from '@ant-design/icons'
import type { ComponentType, ReactNode } from 'react'

const icons: Readonly<Record<AppModuleCode, ComponentType<{ 'aria-hidden'?: boolean }>>> = {
  dorm: HomeOutlined, dorm_new: BankOutlined, leave: CalendarOutlined, approve: AuditOutlined, pushMessage: NotificationOutlined, cloudAttend: ClockCircleOutlined,
  cloudStudentAttend: CarryOutOutlined, hall: AppstoreOutlined, door: KeyOutlined, privacy: SafetyCertificateOutlined, cloudFee: CreditCardOutlined, cloudWater: ExperimentOutlined,
  cloudDish: CoffeeOutlined, cloudScale: DashboardOutlined, analyse: BarChartOutlined, repair: ToolOutlined, fee: WalletOutlined, voice: PhoneOutlined, schoolBus: CarOutlined,
  attendManage: ScheduleOutlined, evaluate: StarOutlined, park: EnvironmentOutlined,
}
const tones = 6
const codes = Object.keys(icons)

/** The coloured tile of a module. */
export function ModuleIcon({ code }: { code: AppModuleCode }): ReactNode {
  const Icon = icons[code]
  return <span className="app-role-icon" data-tone={codes.indexOf(code) % tones} title={appModuleName(code)}><Icon aria-hidden /></span>
}
