export { connection_steps, log_levels, part_tests } from './answers.ts'
export type {
  Capture, ConnectionStep, ConnectionTest, Dashboard, Debug, DeviceInfo, DoorState, Entered, FacePeople, FaceState, FirmwareDone, Greeting, LogLevel, Message, Names, PartTest, Ping, Refusal, SettingsAnswer, Shown, Vitals,
} from './answers.ts'
export { brokerAddress, brokerParts } from './broker.ts'
export type { BrokerParts } from './broker.ts'
export { firmwareFault, loginFault, most_password_digits, newPasswordFault, readPackage } from './entry.ts'
export { fault_codes } from './fault.ts'
export type { Fault, FaultCode } from './fault.ts'
export { areMappings, isShutAt } from './rows.ts'
export { groupFaults, hostFault, settingFault } from './setting-check.ts'
export { factorySettings, secret_settings, setting_fields } from '../jdev/setting-fields.ts'
export type { Settings, SettingValue, SettingValues } from '../jdev/setting-fields.ts'
