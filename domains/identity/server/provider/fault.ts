/**
 * Why a provider did not help: `refused` it said no, or what it said cannot be believed; `silent` it did not answer. `reason` is for
 * administrators and holds no secret, code, state or token.
 */
export class ProviderFault extends Error {
  readonly kind: 'refused' | 'silent'
  constructor(kind: 'refused' | 'silent', reason: string) {
    super(reason)
    this.name = 'ProviderFault'
    this.kind = kind
  }
}
