import { join } from 'node:path'
import { devicesCards, devicesErrors, devicesEvents, devicesRoutes, devicesTemplates } from '@campus/devices/contract'
import { lookWordsPort } from '@campus/files/server'
import { messageTemplatePort } from '@campus/messages/server'
import { changeEffectPort, credentialPort, erasePort, rekeyPort } from '@campus/people/server'
import { addablePort, placeHistoryPort, placeUsePort } from '@campus/places/server'
import { importTemplatePort, listExportPort } from '@kit/server/excel'
import { cardPort } from '@kit/server/http'
import type { DomainServer } from '@kit/server/http'
import { clientKindPort } from '@kit/server/mqtt'
import { sealedPort } from '@kit/server/secrets'
import { boardRoutes, servedBoardChannel } from './board.routes.ts'
import { boxRoutes } from './box.routes.ts'
import { brokerRoutes } from './broker.routes.ts'
import { deviceEffect } from './change/device.effect.ts'
import { cameraRoutes } from './camera.routes.ts'
import { jobKindPort, workKindPort } from '@campus/jobs/server'
import { profileWork } from './probe/profile.work.ts'
import { timerKindPort } from '@kit/server/event'
import { aiRoutes } from './ai.routes.ts'
import { servedAiChannel } from './ai/channel.ts'
import { imageExportJob } from './ai/image-export.job.ts'
import { warningErase, warningRekey } from './ai/person.follow.ts'
import { lookedWarning, pictureLook } from './ai/picture.ts'
import { warningExport } from './ai/record.export.ts'
import { ai_admin } from './ai/record.service.ts'
import { placeDeviceRoutes } from './place-device.routes.ts'
import { commandRoutes } from './command.routes.ts'
import { configRoutes } from './config.routes.ts'
import { cardReadRoutes } from './card-read.routes.ts'
import { erasureRoutes } from './erasure.routes.ts'
import { deviceExport } from './device.export.ts'
import { deviceRoutes } from './device.routes.ts'
import { servedCardChannel } from './event/card-read.service.ts'
import { passExport } from './event/pass.export.ts'
import { floorPlanRoutes } from './floor-plan.routes.ts'
import { firmwareRoutes } from './firmware.routes.ts'
import { maintenanceRoutes } from './maintenance.routes.ts'
import { deviceKind } from './link/kind.ts'
import { keepLines } from './link/keep.ts'
import { linkExport } from './link/link.export.ts'
import { Sessions, sessionsPort } from './link/sessions.ts'
import { cameraTemplate } from './import/camera.template.ts'
import { deviceTemplate } from './import/device.template.ts'
import { installModels } from './model.queries.ts'
import { deviceMonths } from './months.ts'
import { deviceCredentials } from './person.credentials.ts'
import { devicesErase, devicesRekey } from './person.follow.ts'
import { placeConsumers } from './place.follow.ts'
import { addableIn } from './place.addable.ts'
import { erasOf } from './place.history.ts'
import { devicesIn } from './place.use.ts'
import { overviewRoutes } from './overview.routes.ts'
import { passwordRoutes } from './password.routes.ts'
import { readerRoutes } from './reader.routes.ts'
import { recordRoutes } from './record.routes.ts'
import { photoRoutes } from './photo.routes.ts'
import { PhotoCounter, photoCounterPort } from './photo/counter.ts'
import { ruleRoutes } from './rule.routes.ts'
import { settingRoutes } from './setting.routes.ts'
import { sealed_parts } from './sealed-parts.ts'
import { servedDeviceChannels } from './device.watch.ts'
import { subjectConsumers } from './subject.follow.ts'
import { alarmConsumers } from './tell/tell.ts'
import { warningConsumers } from './tell/warning.ts'
import { syncRoutes } from './sync.routes.ts'
import { wireRoutes } from './wire.routes.ts'
import { withdrawalRoutes } from './withdrawal.routes.ts'
import { pump } from './sync/sender.ts'

export { adopt } from './adopt.ts'
export { deviceOfSecret } from './board/credential.ts'
export { declareContent, declareContentAt } from './board/declare-content.ts'
export type { ContentRow, ContentSource, Manifest } from './board/manifest.ts'
export { brokerFiles } from './broker/export.ts'
export type { BrokerFiles } from './broker/export.ts'
export { bringAddress, shotKey } from './camera/address.ts'
export { createCameras } from './camera/camera.create.ts'
export type { PlannedCamera } from './camera/camera.create.ts'
export { createAlarms } from './event/alarm.create.ts'
export type { PastAlarm } from './event/alarm.create.ts'
export { createPasses, passedParts } from './event/pass.create.ts'
export { registerDecider } from './event/decider.ts'
export type { Decider, Swipe } from './event/decider.ts'
export { control, tryControl } from './control/control.ts'
export type { Commander } from './control/control.ts'
export { issueSecrets } from './client.queries.ts'
export { declareConfig } from './config/declare.ts'
export { passesRead } from './event/passes-read.ts'
export { createProfiles } from './config/profile.create.ts'
export type { PlannedProfile } from './config/profile.create.ts'
export { createFirmware } from './firmware/firmware.create.ts'
export type { PlannedFirmware } from './firmware/firmware.create.ts'
export { createDevices } from './device.create.ts'
export type { PlannedDevice } from './device.create.ts'
export { createPlans, planUse } from './place/plan.create.ts'
export type { PlannedPlan } from './place/plan.create.ts'
export { createReaders } from './reader/reader.create.ts'
export type { PlannedReaders } from './reader/reader.create.ts'
export { followLimits, probeDevice } from './probe/probe.service.ts'
export type { Probe } from './probe/probe.service.ts'
export { photoAddress } from './photo/address.ts'
export { seeingCameras } from './ai/camera.queries.ts'
export type { SeeingCamera } from './ai/camera.queries.ts'
export { imageUse } from './ai/picture.ts'
export { createAiRules, createWarnings, feedBoxes } from './ai/warning.create.ts'
export type { PlannedAiRule, PlannedWarning } from './ai/warning.create.ts'
export { createMetrics, hasMetrics } from './link/metric.create.ts'
export { createTurns } from './link/turn.create.ts'
export type { PastTurn } from './link/turn.create.ts'
export { createRules } from './rule/rule.create.ts'
export type { PlannedRule } from './rule/rule.create.ts'
export { createAbsent, planAbsent } from './sync/absent.create.ts'
export { declareCredentials, declareGrants, declareSubjects, revoke } from './sync/declare.ts'
export type { Credential, Declarer, Grant, Subject } from './sync/declare.ts'
export { credentialHolders } from './sync/holders.ts'
export type { CredentialHolder } from './sync/holders.ts'
export type { DevicesViews } from './tables.gen.ts'

export const devicesServer: DomainServer = {
  name: 'devices',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [...aiRoutes, ...boardRoutes, ...boxRoutes, ...brokerRoutes, ...cameraRoutes, ...cardReadRoutes, ...commandRoutes, ...configRoutes, ...deviceRoutes, ...erasureRoutes, ...firmwareRoutes, ...floorPlanRoutes, ...maintenanceRoutes, ...overviewRoutes, ...passwordRoutes, ...photoRoutes, ...placeDeviceRoutes, ...readerRoutes, ...recordRoutes, ...ruleRoutes, ...settingRoutes, ...syncRoutes, ...wireRoutes, ...withdrawalRoutes],
  facts: devicesRoutes,
  events: Object.values(devicesEvents),
  consumers: [...subjectConsumers, ...placeConsumers, ...alarmConsumers, ...warningConsumers],
  channels: [...servedDeviceChannels, servedCardChannel, servedAiChannel, servedBoardChannel],
  constraints: { device_sn_once: devicesErrors.deviceSnTaken, device_name_once: devicesErrors.deviceNameTaken, device_rule_name_once: devicesErrors.ruleNameTaken, ai_rule_name_once: devicesErrors.aiRuleNameTaken, device_client_pkey: devicesErrors.deviceClientConflict, config_profile_name_once: devicesErrors.configNameTaken, firmware_once: devicesErrors.firmwareTaken, reader_desk_name_once: devicesErrors.readerDeskTaken, card_format_name_once: devicesErrors.cardFormatTaken, reader_desk_near: devicesErrors.readerIp },
  codes: [deviceTemplate.need, cameraTemplate.need, ai_admin],
  months: ({ now, database }) => deviceMonths(now, database),
  install: db => installModels(db.withTables()),
  compose(boot) {
    for (const card of devicesCards) cardPort.fill(boot.app, card)
    const sessions = new Sessions(boot, (of, session) => void pump(of, session))
    sessionsPort.fill(boot.app, sessions)
    photoCounterPort.fill(boot.app, new PhotoCounter(sessions.desk))
    clientKindPort.fill(boot.app, deviceKind(sessions))
    for (const template of [deviceTemplate, cameraTemplate]) importTemplatePort.fill(boot.app, template)
    for (const list of [deviceExport, linkExport, passExport, warningExport]) listExportPort.fill(boot.app, list)
    jobKindPort.fill(boot.app, imageExportJob(boot))
    workKindPort.fill(boot.app, profileWork)
    timerKindPort.fill(boot.app, pictureLook)
    lookWordsPort.fill(boot.app, lookedWarning)
    for (const template of Object.values(devicesTemplates)) messageTemplatePort.fill(boot.app, template)
    placeUsePort.fill(boot.app, devicesIn)
    changeEffectPort.fill(boot.app, deviceEffect)
    for (const provider of deviceCredentials) credentialPort.fill(boot.app, provider)
    placeHistoryPort.fill(boot.app, erasOf)
    addablePort.fill(boot.app, addableIn)
    for (const rekey of [devicesRekey, warningRekey]) rekeyPort.fill(boot.app, rekey)
    for (const erase of [devicesErase, warningErase]) erasePort.fill(boot.app, erase)
    for (const part of sealed_parts) sealedPort.fill(boot.app, part)
  },
  start: boot => keepLines(boot),
}
