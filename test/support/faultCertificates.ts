import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** A certificate and its key, both PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOptions {
  /** Names and IPv4 addresses that the certificate is for. Default: 127.0.0.1 and localhost. */
  readonly hosts?: readonly string[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  /** Who signs. Default: the certificate itself. */
  readonly issuer?: Issuer;
}

export interface Issuer extends Certificate {
  readonly name: string;
  readonly privateKey: KeyObject;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Makes an authority that can sign the certificates of servers and clients. */
export function makeAuthority(name = 'Test Authority'): Issuer {
  return build(name, { isAuthority: true });
}

/** Makes a certificate at test time, so no private key lies in the repository and none expires there. */
export function makeCertificate(options: CertificateOptions = {}): Certificate {
  const { cert, key } = build('Test Service', { ...options, isAuthority: false });
  return { cert, key };
}

function build(
  name: string,
  {
    hosts = ['127.0.0.1', 'localhost'],
    notBefore,
    notAfter,
    issuer,
    isAuthority,
  }: CertificateOptions & { isAuthority: boolean },
): Issuer {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signature = sequence(objectId('2a8648ce3d040302'));
  const extensions = isAuthority
    ? [extension('551d13', sequence(tagged(0x01, Buffer.from([0xff]))))]
    : [extension('551d11', sequence(...hosts.map(alternativeName)))];
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    signature,
    distinguishedName(issuer?.name ?? name),
    sequence(time(notBefore ?? new Date(Date.now() - DAY_MS)), time(notAfter ?? new Date(Date.now() + DAY_MS))),
    distinguishedName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  );
  const signed = createSign('sha256')
    .update(body)
    .sign(issuer?.privateKey ?? privateKey);
  const certificate = sequence(body, signature, tagged(0x03, Buffer.concat([Buffer.from([0]), signed])));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    name,
    privateKey,
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** One DER value: tag, length, content. */
function tagged(tag: number, content: Buffer): Buffer {
  const size = content.length;
  if (size < 0x80) return Buffer.concat([Buffer.from([tag, size]), content]);
  const length = Buffer.from(size.toString(16).padStart(size > 0xff ? 4 : 2, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 + length.length]), length, content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

/** `encoded` is the identifier's content in hexadecimal. */
function objectId(encoded: string): Buffer {
  return tagged(0x06, Buffer.from(encoded, 'hex'));
}

function distinguishedName(name: string): Buffer {
  return sequence(tagged(0x31, sequence(objectId('550403'), tagged(0x0c, Buffer.from(name)))));
}

function time(date: Date): Buffer {
  return tagged(0x18, Buffer.from(date.toISOString().replace(/[-:T]|\.\d+/g, '')));
}

function extension(id: string, content: Buffer): Buffer {
  return sequence(objectId(id), tagged(0x04, content));
}

function alternativeName(host: string): Buffer {
  const isAddress = /^\d+(?:\.\d+){3}$/.test(host);
  return isAddress ? tagged(0x87, Buffer.from(host.split('.').map(Number))) : tagged(0x82, Buffer.from(host));
}
