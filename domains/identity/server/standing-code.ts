/** Role of the synthetic identity that a super account has in every school. */
export const super_role = 'SYS001_Super'
/** Role of a school's own administrator. */
export const school_admin_role = 'SYS001_SchoolAdmin'
/** Role of whoever reads a school's journals where duties are apart. */
export const auditor_role = 'SYS001_Auditor'
