import { join } from 'node:path'
import { personNamesPort } from '@campus/audit/server'
import { lookWordsPort } from '@campus/files/server'
import { directory, familyPort, passwordSlipPort } from '@campus/identity/server'
import { importTemplatePort, jobKindPort, workKindPort } from '@campus/jobs/server'
import { messageTemplatePort } from '@campus/messages/server'
import { bulk_export_code, change_codes, peopleErrors, peopleEvents, peopleRoutes, peopleTemplates, sensitive_tag_code } from '@campus/people/contract'
import { setupStepPort } from '@campus/school/server'
import { timerKindPort } from '@kit/server/event'
import { listExportPort } from '@kit/server/excel'
import type { DomainServer } from '@kit/server/http'
import { sealedPort } from '@kit/server/secrets'
import { archiveFeedRoutes } from './archive-feed.routes.ts'
import { bookRoutes } from './book/book.routes.ts'
import { changeExport } from './change/change.export.ts'
import { changeRoutes } from './change/change.routes.ts'
import { collectRoutes } from './collect/collect.routes.ts'
import { collect_sealed_parts } from './collect/values.ts'
import { dayTurn } from './change/day-turn.ts'
import { changeEffectPort } from './change/effect-port.ts'
import { people_effects } from './change/people.effects.ts'
import { completenessRoutes } from './completeness.routes.ts'
import { delegateRoutes } from './delegate/delegate.routes.ts'
import { composeDeletion } from './deletion/compose.ts'
import { deleteConsumers } from './deletion/delete.consumers.ts'
import { deleteRoutes } from './deletion/delete.routes.ts'
import { delete_import_code } from './deletion/delete.template.ts'
import { replayTombstones } from './deletion/replay.ts'
import { deptEditRoutes, deptStaffRoutes } from './dept.edit.routes.ts'
import { deptRoutes } from './dept.routes.ts'
import { openDirectory } from './directory.ts'
import { openFamily } from './family.ts'
import { columnRoutes } from './columns/columns.routes.ts'
import { fieldRoutes } from './field/field.routes.ts'
import { planReseal, resealWork } from './field/reseal.ts'
import { ext_sealed_parts } from './field/sealed-value.ts'
import { freshmenExport } from './freshmen/freshmen.export.ts'
import { freshmenRoutes } from './freshmen/freshmen.routes.ts'
import { papersTimer } from './freshmen/papers-end.ts'
import { freshmen_sealed_parts } from './freshmen/sealed-parts.ts'
import { seasonDoor } from './freshmen/season.door.ts'
import { exportJob } from './export/export.job.ts'
import { exportRoutes } from './export/export.routes.ts'
import { dept_import_code, deptTemplate } from './import/dept.template.ts'
import { freshmanTemplate } from './import/freshman.template.ts'
import { import_codes, parentTemplate, staffTemplate, studentTemplate } from './import/templates.ts'
import { overviewRoutes } from './overview.routes.ts'
import { duplicateScan, scanAfterImport } from './merge/case.work.ts'
import { mergeRoutes } from './merge/merge.routes.ts'
import { messagesRekey } from './merge/messages.rekey.ts'
import { peopleRekey } from './merge/people.rekey.ts'
import { rekeyPort } from './merge/rekey-port.ts'
import { parentRoutes } from './parent.routes.ts'
import { lookedBy, personNames } from './person-names.ts'
import { people_lanes } from './person-page/people.lanes.ts'
import { platform_lanes } from './person-page/platform.lanes.ts'
import { personPageRoutes } from './person-page/person-page.routes.ts'
import { timelinePort } from './person-page/timeline-port.ts'
import { photoBefore } from './photo/photo.apply.ts'
import { photoRoutes } from './photo/photo.routes.ts'
import { photoTemplate } from './photo/photo.template.ts'
import { photosBrought, unpackJob } from './photo/unpack.job.ts'
import { pickerRoutes } from './picker.routes.ts'
import { quitRoutes } from './quit/quit.routes.ts'
import { remarkRoutes } from './remark/remark.routes.ts'
import { registerDoor } from './register/register.door.ts'
import { publicDoorPort } from './register/public-port.ts'
import { registerRoutes } from './register/register.routes.ts'
import { register_sealed_parts } from './register/sealed-parts.ts'
import { seedSchool } from './seed.ts'
import { setupSteps } from './setup-steps.ts'
import { studentFileRoutes } from './student-file.routes.ts'
import { passwordLookupRoutes } from './slips/password-lookup.routes.ts'
import { passwordSlips, slipJob } from './slips/slip.job.ts'
import { studentRoutes } from './student.routes.ts'
import { sealed_parts } from './sealed-parts.ts'
import { staff_effects } from './staff/staff.effects.ts'
import { staffRoutes } from './staff/staff.routes.ts'
import { syncRoutes } from './sync/roster.routes.ts'
import { tagRoutes } from './tag.routes.ts'
import { composeWhitelist } from './whitelist/compose.ts'
import { whitelistRoutes } from './whitelist/whitelist.routes.ts'
import { rechargeRoutes } from './recharge/recharge.routes.ts'
import { composeSign } from './sign/compose.ts'
import { signRoutes } from './sign/sign.routes.ts'
import { upgradeEffect } from './upgrade/finish.ts'
import { upgradeRoutes } from './upgrade/upgrade.routes.ts'

export { changeEffectPort } from './change/effect-port.ts'
export type { ChangeEffect, EffectCount, EffectPlan, EffectStep, EffectSubject, SubjectSide } from './change/effect-port.ts'
export { settleWaiting } from './change/waiting.ts'
export { ackErasure, holdsErased } from './deletion/ack.ts'
export type { AckDesk } from './deletion/ack.ts'
export { requireDept } from './dept.service.ts'
export { createCollect } from './collect/collect.create.ts'
export type { NewCollect } from './collect/collect.create.ts'
export { createDelegations } from './delegate/delegate.create.ts'
export type { NewDelegation } from './delegate/delegate.create.ts'
export { failChange, makeChange, takeBackChange } from './change/change.create.ts'
export { makeDeletion } from './deletion/deletion.create.ts'
export type { NewDeletion } from './deletion/deletion.create.ts'
export { erasePort } from './deletion/erase-port.ts'
export type { Erase, Erased, EraseStep } from './deletion/erase-port.ts'
export { replayPerson, replayTombstones } from './deletion/replay.ts'
export { precheckPort } from './deletion/precheck-port.ts'
export type { Precheck, PrecheckDesk, PrecheckHit, PrecheckLevel } from './deletion/precheck-port.ts'
export { createFields } from './field/field.create.ts'
export type { NewField } from './field/field.create.ts'
export { createDocuments, documentUse } from './freshmen/documents.ts'
export { asApplied, createSeason } from './freshmen/season.create.ts'
export type { NewFreshman } from './freshmen/season.create.ts'
export { createBooks } from './book/book.create.ts'
export type { NewBook } from './book/book.create.ts'
export { readBoard } from './dept.board.ts'
export { createDepts } from './dept.create.ts'
export type { NewDept } from './dept.create.ts'
export { deptLabel } from './dept.label.ts'
export type { LabelVersion } from './dept.label.ts'
export { linkGuardians } from './guardian.create.ts'
export type { NewGuardian } from './guardian.create.ts'
export { scanDuplicates } from './merge/case.scan.ts'
export { mergePeople } from './merge/merge.core.ts'
export type { MergeDesk, MergeOrder } from './merge/merge.core.ts'
export { lockMerge, partPeople } from './merge/part.core.ts'
export { credentialPort, timelinePort, todayLinePort } from './person-page/timeline-port.ts'
export { within as withinLane } from './person-page/lane-span.ts'
export type { CredentialProvider, ProviderDesk, TimelineAsked, TimelineProvider, TodayProvider } from './person-page/timeline-port.ts'
export { createPhotos } from './photo/photo.create.ts'
export { publicDoorPort } from './register/public-port.ts'
export type { PublicDoor, PublicKey } from './register/public-port.ts'
export { createRegister } from './register/register.create.ts'
export type { NewEntry, NewRegister } from './register/register.create.ts'
export { sampleEntries } from './register/sample.ts'
export { rekeyPort } from './merge/rekey-port.ts'
export type { LeftRow, MovedRow, Rekey, RekeyConflict, RekeyCount, RekeyPair, RekeyStep } from './merge/rekey-port.ts'
export { findByIdentity } from './find-by-identity.ts'
export { openIdNo } from './id-number.ts'
export type { IdKeys } from './id-number.ts'
export type { Origin, PersonDraft } from './person.create.ts'
export { closeDepts, renewDepts } from './dept.history.ts'
export { makeFamily } from './sample/family.ts'
export type { InventedFamily, InventedGuardian } from './sample/family.ts'
export { withGaps } from './sample/gaps.ts'
export { first_age, makePupil } from './sample/pupil.ts'
export type { InventedPupil } from './sample/pupil.ts'
export { special_families } from './sample/special-families.ts'
export { sampleTools } from './sample/tools.ts'
export type { SampleTools } from './sample/tools.ts'
export { demoClasses, writeSampleSheets } from './sample-sheet.ts'
export type { SampleClass, SampleFiles, SampleOptions } from './sample-sheet.ts'
export { deptScope, inScope, selfScope, visibleDepts } from './scope.ts'
export type { DeptScope, Tree } from './scope.ts'
export { checkSealedNumbers } from './sealed-numbers.ts'
export type { SealedCount } from './sealed-numbers.ts'
export { hireStaff } from './staff.create.ts'
export type { NewStaff, StaffDraft } from './staff.create.ts'
export { recordStaffLeaves } from './staff.history.ts'
export { enrolStudents } from './student.create.ts'
export type { NewStudent, StudentDraft } from './student.create.ts'
export { countPupils } from './student.queries.ts'
export { recordPupilSteps } from './student.history.ts'
export type { PupilStep } from './student.history.ts'
export { createRemarks } from './remark/remark.create.ts'
export type { NewRemark } from './remark/remark.create.ts'
export { createTags } from './tag.create.ts'
export type { NewTag } from './tag.create.ts'
export { setPlates } from './vehicle/plates.ts'
export { setVehicle } from './vehicle/set-vehicle.ts'
export type { NewVehicle } from './vehicle/set-vehicle.ts'
export { draftPlan } from './upgrade/plan.create.ts'
export { upgradeImpactPort } from './upgrade/impact-port.ts'
export type { Impact, ImpactPlan, UpgradedCohort, UpgradeImpact } from './upgrade/impact-port.ts'
export { answerWhitelist } from './whitelist/channel.ts'
export type { WhitelistAnswer } from './whitelist/channel.ts'
export { whitelistChannelPort } from './whitelist/channel-port.ts'
export type { ChannelLine, WhitelistChannel } from './whitelist/channel-port.ts'
export { createWhitelist } from './whitelist/whitelist.create.ts'
export type { NewWhitelist } from './whitelist/whitelist.create.ts'
export { createRecharge } from './recharge/recharge.create.ts'
export type { NewRecharge } from './recharge/recharge.create.ts'
export { signChannelPort } from './sign/channel-port.ts'
export type { ChannelContract, SignChannel } from './sign/channel-port.ts'
export { createContracts } from './sign/sign.create.ts'
export type { NewContract } from './sign/sign.create.ts'
export { answerContract } from './sign/termination.ts'
export type { ContractAnswer } from './sign/termination.ts'
export type { PeopleViews } from './tables.gen.ts'

export const peopleServer: DomainServer = {
  name: 'people',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [...deptRoutes, ...deptEditRoutes, ...deptStaffRoutes, ...remarkRoutes, ...studentRoutes, ...studentFileRoutes, ...personPageRoutes, ...parentRoutes, ...changeRoutes, ...pickerRoutes, ...exportRoutes, ...tagRoutes, ...bookRoutes, ...archiveFeedRoutes, ...overviewRoutes, ...completenessRoutes, ...deleteRoutes, ...quitRoutes, ...mergeRoutes, ...upgradeRoutes, ...staffRoutes, ...registerRoutes, ...collectRoutes, ...passwordLookupRoutes, ...photoRoutes, ...fieldRoutes, ...columnRoutes, ...syncRoutes, ...freshmenRoutes, ...delegateRoutes, ...whitelistRoutes, ...rechargeRoutes, ...signRoutes],
  facts: peopleRoutes,
  events: Object.values(peopleEvents),
  consumers: [scanAfterImport, ...deleteConsumers],
  constraints: {
    dept_version_sibling_name: peopleErrors.deptNameTaken,
    dept_code_key: peopleErrors.deptCodeTaken,
    dept_duty_one_head: peopleErrors.deptHeadTaken,
    person_id_no_live: peopleErrors.idNoTaken,
    person_mobile_live: peopleErrors.mobileTaken,
    student_no_key: peopleErrors.studentNoTaken,
    student_roll_no_key: peopleErrors.rollNoTaken,
    staff_teacher_no_key: peopleErrors.teacherNoTaken,
    person_vehicle_one_owner: peopleErrors.plateTaken,
    sign_contract_once: peopleErrors.signTaken,
    alipay_whitelist_once: peopleErrors.whitelistTaken,
    delegate_dept_once: peopleErrors.delegateTaken,
    dept_member_one_class: peopleErrors.memberMoved,
    field_def_code_key: peopleErrors.fieldCodeTaken,
    dept_remark_field_label_key: peopleErrors.remarkLabelTaken,
    tag_name_key: peopleErrors.tagNameTaken,
    upgrade_plan_once_a_year: peopleErrors.upgradeDone,
    upgrade_plan_one_open: peopleErrors.upgradeOpen,
    freshmen_file_pkey: peopleErrors.materialUsed,
    freshmen_season_once: peopleErrors.seasonTaken,
    user_delete_detail_once: peopleErrors.deleteHolding,
  },
  codes: [...import_codes, dept_import_code, freshmanTemplate.need, delete_import_code, bulk_export_code, sensitive_tag_code, ...Object.values(change_codes)],
  seed: seedSchool,
  compose(boot) {
    const { app } = boot
    const photos = [photoTemplate('student_photo', studentTemplate.need), photoTemplate('teacher_photo', staffTemplate.need)]
    for (const template of [deptTemplate, freshmanTemplate, studentTemplate, parentTemplate, staffTemplate, ...photos]) importTemplatePort.fill(app, template)
    for (const effect of [...people_effects, ...staff_effects]) changeEffectPort.fill(app, effect)
    for (const part of [...sealed_parts, ...ext_sealed_parts, ...register_sealed_parts, ...collect_sealed_parts, ...freshmen_sealed_parts]) sealedPort.fill(app, part)
    for (const kind of [exportJob, slipJob(boot), unpackJob(boot)]) jobKindPort.fill(app, kind)
    passwordSlipPort.fill(app, passwordSlips)
    for (const template of Object.values(peopleTemplates)) messageTemplatePort.fill(app, template)
    for (const kind of [dayTurn, upgradeEffect, duplicateScan, resealWork]) workKindPort.fill(app, kind)
    for (const timer of [photosBrought, photoBefore, papersTimer]) timerKindPort.fill(app, timer)
    for (const rekey of [peopleRekey, messagesRekey]) rekeyPort.fill(app, rekey)
    for (const step of setupSteps) setupStepPort.fill(app, step)
    for (const lane of [...people_lanes, ...platform_lanes]) timelinePort.fill(app, lane)
    personNamesPort.fill(app, personNames)
    lookWordsPort.fill(app, lookedBy)
    publicDoorPort.fill(app, registerDoor)
    publicDoorPort.fill(app, seasonDoor)
    for (const list of [freshmenExport, changeExport]) listExportPort.fill(app, list)
    composeDeletion(app)
    composeWhitelist(app)
    composeSign(app)
    directory.fill(app, openDirectory(app))
    familyPort.fill(app, openFamily(app))
  },
  async start(boot) {
    await replayTombstones(boot)
    await planReseal(boot)
    return () => Promise.resolve()
  },
}
