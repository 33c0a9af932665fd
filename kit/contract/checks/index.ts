// Pure checks for browser and server, without any dependency: the login page lives on this entry alone.
export { checkEmail, checkIpv4, checkMobile, checkQq } from './contact.ts'
export { checkDevicePassword, checkFirmwareName } from './device.ts'
export { size } from './file-size.ts'
export { checkIdCard, checkResidentId, parseIdCard, warnResidentId } from './id-card.ts'
export type { IdCard, IdCardForm } from './id-card.ts'
export { checkResized } from './image.ts'
export { checkAccount, checkCaptcha, checkLoginForm, checkLoginPassword } from './login.ts'
export type { LoginFailure, LoginForm, LoginPasswordRule } from './login.ts'
export { maskIdNo, maskMobile, maskName } from './mask.ts'
export { holdsName, isSameName, name_parts, nameKey, numberKey, serialKey } from './name-key.ts'
export {
  checkNewPassword, checkNewPasswordPair, checkOldPassword, checkPassword6to20, checkPasswordSubmit, checkStrong,
  newPasswordChecklist, PASSWORD_SYMBOLS,
} from './password.ts'
export type { PasswordChecklistItem } from './password.ts'
export { checkMarker } from './permission.ts'
export { checkPlate } from './plate.ts'
export { checkHideColumn, checkSelection } from './selection.ts'
export type { SelectionAction } from './selection.ts'
export {
  checkAlnum1to50, checkDeptName, checkDigits, checkNoComma, checkNoSpecial, checkPersonName, checkRecognitionPassword,
  checkStudentNo, checkUsername, dropInvisible, foldFullWidth, trimName,
} from './text.ts'
export { checkChosen, files_limit, pictureSize, token_refetch_ms, upload_patience_ms, uploadName } from './upload.ts'
export { checkMenu, checkRoleChoice, checkUsableRoles, roleStep, usable } from './usable-roles.ts'
export type { LoginEntry, RoleClient, RoleEntry, RoleRuleEntry, RoleStep } from './usable-roles.ts'
export type { Check, Verdict } from './verdict.ts'
export { illFormedAt, isWellFormedText, wellFormedValue } from './well-formed.ts'
