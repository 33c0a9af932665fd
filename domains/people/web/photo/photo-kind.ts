/** Whose photos are brought in. */
export type PhotoKind = 'student' | 'teacher'
