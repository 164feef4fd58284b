import {en, t} from '../../../language/index.ts';
import {z} from 'zod';
import {defineTool, type Tool, type ToolOutput} from '../../../worker/index.ts';
import {FetchError} from '../web/failure.ts';
import type {Guard} from '../web/fetch-page.ts';
import type {FetchedText, WebReader} from '../web/fetch-text.ts';
import {parseByteRange, partOf, type ByteRange} from './text-part.ts';
import {fetchProblem, webTexts} from '../web/texts.ts';
import {webHeader} from '../web/web-header.ts';
import {checkUrl, hostOf} from '../../ground/text/web-url.ts';
import {fetchFacts} from '../../protocol/tool-definitions.ts';
import {errorOutput} from '../../ground/values/is-record.ts';

type FetchToolOptions = {
	/** Creates the reader on first use, because most sessions fetch nothing. */
	readonly reader: () => Promise<WebReader>;
	/** Returns the guard of a call. */
	readonly guard: (callId: string) => Guard;
	/** Returns the reason why a call will certainly fail, before inkpod asks the user. Does not resolve names. */
	readonly problem: (url: URL) => string | undefined;
	readonly maxOutputBytes: number;
};

/** The maximum size of a part of a page, in bytes. */
const maxPartBytes = 16 * 1024;
/** The number of bytes that a result reserves for the lines around the part. */
const noteBytes = 1024;

/** Creates the tool that fetches a web page as text. */
export function fetchTool(options: FetchToolOptions): Tool {
	return defineTool({
		...fetchFacts,
		input: z.object({
			url: z.string().min(1),
			range: z.string().optional().describe(fetchFacts.arguments.range),
		}),
		async preview({url, range}) {
			const fails = problemOf(url, range, options);
			const checked = checkUrl(url);
			const address = checked.ok ? checked.url.href : url;
			return {
				title: checked.ok ? t`Fetch a page from ${hostOf(checked.url)}?` : t`Fetch a page?`,
				detail: address,
				shows: 'text',
				fails,
			};
		},
		async execute({url, range}, {callId, signal}) {
			const fails = problemOf(url, range, options);
			if (fails !== undefined) return errorOutput(fails);
			try {
				return await fetchPart(url, range === undefined ? {first: 0} : parseByteRange(range), {
					options,
					callId,
					signal,
				});
			} catch (error) {
				if (signal.aborted || !(error instanceof FetchError)) throw error;
				return error.output ?? errorOutput(failure(error.reason, error.detail));
			}
		},
	});
}

function problemOf(url: string, range: string | undefined, {problem}: FetchToolOptions): string | undefined {
	const checked = checkUrl(url);
	if (!checked.ok) return failure(checked.reason, '');
	if (range !== undefined && parseByteRange(range) === undefined) return failure('bad_range', webTexts.rangeForm);
	return problem(checked.url);
}

/** Returns the sentence about a page that was not fetched. */
export function failure(reason: FetchError['reason'], detail: string): string {
	return en`The page was not fetched: ${fetchProblem(reason, detail)}.`;
}

type Part = {readonly options: FetchToolOptions; readonly callId: string; readonly signal: AbortSignal};

async function fetchPart(
	url: string,
	range: ByteRange = {first: 0},
	{options, callId, signal}: Part,
): Promise<ToolOutput> {
	const {isSuccess, statusText} = await import('../web/fetch-text.ts');
	const reader = await options.reader();
	const kept = range.first > 0 ? reader.kept(url) : undefined;
	const fetched = kept ?? (await reader.read(url, options.guard(callId), signal));
	const {facts, text} = fetched;
	const part = partOf(text, range, Math.min(maxPartBytes, options.maxOutputBytes - noteBytes));
	if (part === undefined) throw new FetchError('bad_range', webTexts.pastEnd(text.length));
	const {first, next, isCut} = part;
	const isError = !isSuccess(facts.status);
	return {
		summary: summaryOf(fetched, statusText(facts.status), part),
		content: contentOf(fetched, part),
		...(isError && {isError}),
		details: {web: {...facts, first, next: isCut ? next : text.length}},
	};
}

type TextPart = NonNullable<ReturnType<typeof partOf>>;

/** Returns the status and the size. The summary of a part also has the size of the part. */
function summaryOf({facts: {status}, text}: FetchedText, words: string, {first, next, isCut}: TextPart): string {
	const size =
		first === 0 && !isCut ? sizeText(text.length) : en`${sizeText(next - first)} of ${sizeText(text.length)}`;
	return `${status >= 200 && status < 300 ? status : words} · ${size}`;
}

function contentOf({facts, text}: FetchedText, {body, first, next, isCut}: TextPart): string {
	const {status, mediaType, fetchedAt, sha256} = facts;
	const whole = first === 0 && !isCut;
	const range = whole ? `${text.length} bytes` : `bytes ${first}-${next - 1} of ${text.length}`;
	return [
		webHeader(facts),
		`[${status}, ${mediaType}, ${range}, fetched ${fetchedAt}, sha256 ${sha256.slice(0, 12)}]`,
		`${text.length === 0 ? webTexts.empty : body}${isCut ? webTexts.cutCall(text.length, next) : ''}`,
	].join('\n');
}

function sizeText(bytes: number): string {
	if (bytes < 1024) return `${bytes} B`;
	const kilobytes = bytes / 1024;
	return kilobytes < 1024 ? `${rounded(kilobytes)} KB` : `${rounded(kilobytes / 1024)} MB`;
}

function rounded(size: number): string {
	return size < 10 ? String(Number(size.toFixed(1))) : String(Math.round(size));
}
