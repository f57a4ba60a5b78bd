import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

interface Response {
  $ref?: string;
  headers?: Record<string, object>;
  content?: Record<string, object>;
}
type Responses = Record<string, Response>;
interface ApiDocument {
  paths: Record<string, Record<string, { responses: Responses }>>;
  components: { responses: Responses; headers: Record<string, object> };
}

/** Headers that only some responses of a status have: to wait, and of keys with a limit. */
const occasional: ReadonlySet<string> = new Set(['retry-after', 'ratelimit', 'ratelimit-policy']);
/** JSON up to this length has no entity tag (OS3.3). */
const shortBytes = 1_024;

const pointerTo = (...parts: string[]): string =>
  `#/${parts.map((part) => encodeURI(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
const headersOf = ({ $ref, headers = {} }: Response, shared: Responses): Record<string, object> =>
  $ref === undefined ? headers : (shared[nameIn($ref)]?.headers ?? {});
const nameIn = (pointer: string): string => pointer.replace('#/components/responses/', '');

export interface AnswerSeen {
  status: number;
  /** Its value, if the response has this header. */
  headers: (name: string) => unknown;
  body: unknown;
}

/** Holds answers to the API document. */
export class DocumentedAnswers {
  readonly #paths: ApiDocument['paths'];
  readonly #responses: Responses;
  /** Of `components`: they are documented wherever they are sent. */
  readonly #known: readonly string[];
  readonly #routes: { path: string; pattern: RegExp }[];
  readonly #ajv = new Ajv2020({ strict: false, formats: { uri: true } });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: object) {
    this.#paths = (document as ApiDocument).paths;
    this.#responses = (document as ApiDocument).components.responses;
    this.#known = Object.keys((document as ApiDocument).components.headers);
    this.#ajv.addSchema({ ...document, $id: 'api' });
    // Literal paths come before those with parameters: the first one that fits is the route's.
    this.#routes = Object.keys(this.#paths)
      .toSorted((one, other) => one.split('{').length - other.split('{').length)
      .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`) }));
  }

  /** What is wrong with an answer; undefined where it is as documented, or nothing is. */
  problemOf(method: string, url: string, { status, headers, body }: AnswerSeen): string | undefined {
    const [pathname = ''] = url.split('?');
    const route = this.#routes.find(({ pattern }) => pattern.test(pathname));
    const operation = route && this.#paths[route.path]?.[method.toLowerCase()];
    if (route === undefined || operation === undefined) return undefined;
    const response = operation.responses[status];
    if (response === undefined) return `${method} ${route.path} answers with ${status}, which is not documented`;
    const place = response.$ref ?? pointerTo('paths', route.path, method.toLowerCase(), 'responses', String(status));
    const { content } = response.$ref === undefined ? response : (this.#responses[nameIn(response.$ref)] ?? {});
    if (content?.['application/json'] === undefined) return undefined;
    const $ref = `api${place}${pointerTo('content', 'application/json', 'schema').slice(1)}`;
    const described = Object.keys(headersOf(response, this.#responses));
    const isShort = Buffer.byteLength(JSON.stringify(body)) <= shortBytes;
    const absent = described.filter(
      // Long responses alone have a tag.
      (name) => !occasional.has(name) && !(name === 'etag' && isShort) && headers(name) === undefined,
    );
    const extra = this.#known.filter((name) => !described.includes(name) && headers(name) !== undefined);
    if (extra.length > 0) return `${method} ${route.path} ${status} has ${extra.join(', ')}, which is not documented`;
    if (absent.length > 0) return `${method} ${route.path} ${status} lacks ${absent.join(', ')}`;
    const validate = this.#validatorAt($ref);
    return validate(body) ? undefined : `${method} ${route.path} ${status}: ${this.#ajv.errorsText(validate.errors)}`;
  }

  /** To compile a schema takes longer than most requests. */
  #validatorAt($ref: string): ValidateFunction {
    const validator = this.#validators.get($ref) ?? this.#ajv.compile({ $ref });
    this.#validators.set($ref, validator);
    return validator;
  }
}
