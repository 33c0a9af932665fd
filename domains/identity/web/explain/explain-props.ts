/** Whose rights are explained; `role_no` and `path` choose identity and page at first, `role_id` a role whose matrix the reader may read. */
export type ExplainProps = { person: { user_id: string; user_name: string }; role_no?: string; role_id?: string; path?: string; onClose: () => void }
