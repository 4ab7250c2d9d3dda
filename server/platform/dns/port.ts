/** Looks names up in the DNS. */
export interface Dns {
  /** The texts of a name's TXT records; none where there are none. Throws `DnsUnavailable` where nobody answers. */
  texts(name: string): Promise<string[]>
}
