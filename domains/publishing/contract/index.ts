export { CrowdDraft, CrowdId, crowdApi, crowdList, CrowdMember, crowdMemberList, CrowdRow, CrowdRule, shared_names } from './crowd.ts'
export {
  checkin_kind, edition_names, folder_words, homework_kind, HONOUR_CLASS, HONOUR_DEPT, honour_states, information_kind, NOTICE_KIND, NOTICE_STATE, parent_rules, post_state, reach_reasons, receiver_names, reply, reply_names,
  resource_states, resource_types, role_names, rotating_codes, safety_kind, scene_names, survey_kind, target,
} from './dictionary.ts'
export { publishingErrors } from './errors.ts'
export { publishingEvents } from './events.ts'
export { Answers, checkAnswers, field_types, Form, FormField, isAsked, most_fields } from './form.ts'
export { Attachment, Audience, AudienceLine, most_attachments, most_content_kb, PostDetail, PostDraft, PostId, PostRow, Preview, ReceiptRow } from './post.ts'
export type { PostAct } from './post.ts'
export { classHonourApi, classHonourList, deptHonourApi, deptHonourList, HonourDraft, HonourId, HonourRow, most_awarded } from './honour.ts'
export type { HonourApi, HonourBoard } from './honour.ts'
export { informationApi, informationList, noticeApi, noticeList, PostReport, SubmissionRow } from './post.api.ts'
export type { PostApi } from './post.api.ts'
export { inbox_page, InboxPost, OpenedPost, readerApi } from './reader.ts'
export { publishingRoutes } from './routes.ts'
export { postTemplates } from './templates.ts'
<<<<<<< HEAD
export { educationApi, folderApi, resourceApi } from './resource.api.ts'
export type { ManagedRow } from './resource.api.ts'
export {
  bin_days, folder_visibility, FolderDraft, FolderId, FolderRow, most_in_batch, most_labels, most_resources, PublishPlace, resource_extensions, ResourceId, ResourceImpact, resourceList, ResourceRow, whole_page,
} from './resource.ts'
export { homeworkApi, homeworkList, HomeworkLoad, homeworkReport, HomeworkRow, inform_groups, informApi, informReport, most_load_days } from './statistics.ts'
export type { InformGroup } from './statistics.ts'
export { activeContents, dayAt, full_zone, resolvePlan, shownContents, startOf, ticker_zone } from './board-plan.ts'
=======
export { activeContents, dayAt, full_zone, inOrder, resolvePlan, shownContents, startOf, ticker_zone } from './board-plan.ts'
>>>>>>> boards
export type { BoardPlan, ItemBody, PlanFile, PlanItem, PlanLesson, PlanMeal, PlanModules, PlanZone, Screen, Shown, Span } from './board-plan.ts'
export { boardList, BoardPreview, BoardRow, classBoardApi, fault_texts, name_modes, no_space_codes, plan_states, playerApi, PlayerWord, ShownZone } from './board.ts'
export type { PlayerPlan, PlayerStatus } from './board.ts'
export { content_state, content_states, contentApi, ContentDraft, ContentId, contentList, ContentRow, ContentTarget, delivery, delivery_states, deliveryText, DeliveryRow, most_files, placing, source, source_names, target_kind, target_kinds } from './content.ts'
export { count_modes, countdown_states, countdown_styles, countdownApi, CountdownDraft, CountdownId, countdownList, CountdownRow } from './countdown.ts'
export { day_kinds, day_sections, DayPart, order_modes, PlayRule, playRuleApi, PlayRuleDraft, PlayRuleId } from './play-rule.ts'
export type { DaySection } from './play-rule.ts'
export { grid_size, most_zones, orientation_names, Template, template_states, templateApi, TemplateDraft, TemplateId, TemplateZone, usual_name, usual_zones, zone_modules, zoneFault } from './template.ts'
