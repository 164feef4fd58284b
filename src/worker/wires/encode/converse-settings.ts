import type {Settings} from '../../history/item.ts';
import {knownSettings, type KnownSettings} from '../settings.ts';
import {messagesModel} from './messages-models.ts';
import {bySetting, type Tree} from './sourced.ts';

type SettingFields = {
	/** The fields that are specific to the model (`additionalModelRequestFields`). */
	readonly fields: Tree | undefined;
	readonly inference: Tree | undefined;
};

/**
Returns the fields of a body that come from the settings of a request. Leaves out everything that this model would
refuse. The rules are those of `@ai-sdk/amazon-bedrock` 5.0.101 (src/amazon-bedrock-chat-language-model.ts). Stored
requests depend on these rules, so changing one requires a new version of the rules (dialects.ts).
*/
export function settingFields(model: string, settings: Settings): SettingFields {
	const known = knownSettings(settings);
	const family = familyOf(model);
	const thinking = thinkingOf(known.reasoning, model, family);
	const {temperature, topP} = samplingOf(known, {model, family, isThinking: thinking.isClaudeThinking === true});
	const limit = limitOf(known, thinking, family);
	const inference = {
		...(known.maxOutputTokens !== undefined && {maxTokens: limit}),
		temperature: temperature === undefined ? undefined : bySetting('temperature', temperature),
		topP: topP === undefined ? undefined : bySetting('topP', topP),
		stopSequences:
			known.stop === undefined || family === 'openai' || family === 'gpt-oss'
				? undefined
				: bySetting('stop', known.stop),
		// If the user set no limit, the limit that includes a thinking budget is the last field.
		...(known.maxOutputTokens === undefined && {maxTokens: limit}),
	};
	return {
		fields: thinking.fields,
		inference: Object.values(inference).every(value => value === undefined) ? undefined : inference,
	};
}

type Family = 'claude' | 'gpt-oss' | 'openai' | 'nova-2' | 'other';

function familyOf(model: string): Family {
	if (model.includes('anthropic')) return 'claude';
	const [, openai] = /^(?:[^.]+\.)?(openai\..+)$/.exec(model) ?? [];
	if (openai !== undefined) return openai.startsWith('openai.gpt-oss-') ? 'gpt-oss' : 'openai';
	return model.includes('amazon.nova-2-lite-v1:0') ? 'nova-2' : 'other';
}

type Thinking = {
	readonly fields?: Tree;
	/** The number of thinking tokens that Claude may use in addition to its output. */
	readonly budget?: number;
	readonly isClaudeThinking?: boolean;
	readonly effort?: string;
};

function thinkingOf(reasoning: KnownSettings['reasoning'], model: string, family: Family): Thinking {
	if (reasoning === undefined || reasoning === 'none') return {};
	const effort = efforts[reasoning];
	const setting = <Value>(value: Value) => bySetting('reasoning', value);
	if (family === 'claude') return claudeThinking(reasoning, model);
	if (family === 'gpt-oss') return {effort, fields: {reasoning_effort: setting(effort)}};
	if (family === 'openai') return {effort, fields: {reasoning: {effort: setting(effort)}}};
	if (family === 'nova-2')
		return {effort, fields: {reasoningConfig: setting({type: 'enabled', maxReasoningEffort: effort})}};
	return {};
}

function claudeThinking(reasoning: Exclude<KnownSettings['reasoning'], 'none' | undefined>, model: string): Thinking {
	const {thinking, maxOutputTokens} = messagesModel(model);
	if (thinking === 'adaptive') {
		const fields = {
			thinking: bySetting('reasoning', {type: 'adaptive'}),
			output_config: {effort: bySetting('reasoning', efforts[reasoning])},
		};
		return {isClaudeThinking: true, fields};
	}
	const tokens = Math.round(maxOutputTokens * budgetShares[reasoning]);
	const budget = Math.min(maxOutputTokens, Math.max(minBudget, tokens));
	const fields = {thinking: bySetting('reasoning', {type: 'enabled', budget_tokens: budget})};
	return {isClaudeThinking: true, budget, fields};
}

const efforts = {minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'max', max: 'max'} as const;
/**
The thinking budget of each effort, as a share of the output limit. The values are those of `@ai-sdk/provider-utils`
5.0.81.
*/
const budgetShares = {minimal: 0.02, low: 0.1, medium: 0.3, high: 0.6, xhigh: 0.9, max: 0.95} as const;
/** The API refuses a smaller budget (platform.claude.com/docs/en/build-with-claude/extended-thinking). */
const minBudget = 1024;

type SamplingContext = {readonly model: string; readonly family: Family; readonly isThinking: boolean};

function samplingOf(
	{temperature, topP}: KnownSettings,
	{model, family, isThinking}: SamplingContext,
): Pick<KnownSettings, 'temperature' | 'topP'> {
	if (family === 'openai' || isThinking || !messagesModel(model).hasSampling) return {};
	return {temperature: temperature === undefined ? undefined : Math.min(1, Math.max(0, temperature)), topP};
}

function limitOf({maxOutputTokens}: KnownSettings, {budget, effort}: Thinking, family: Family): Tree | undefined {
	if (family === 'nova-2' && (effort === 'high' || effort === 'max')) return undefined;
	if (budget !== undefined)
		return maxOutputTokens === undefined
			? bySetting('reasoning', budget + usualLimit)
			: bySetting('maxOutputTokens', maxOutputTokens + budget);
	return maxOutputTokens === undefined ? undefined : bySetting('maxOutputTokens', maxOutputTokens);
}

/** The output limit without the thinking budget, in tokens, if the user has set no limit. */
const usualLimit = 4096;
