/** The named secrets (decisions 19); each 32 bytes as 64 hex digits. Losing one costs what the operators' page says. */
export const secret_names = ['token_key', 'data_key', 'id_index_key', 'seal_key', 'sm2_key'] as const
export type SecretName = (typeof secret_names)[number]
export type Secrets = Record<SecretName, Buffer>
