import {memo, type ReactElement} from 'react';
import {thinkingWords} from '../rows/thinking.ts';
import {BlockRows, isSameBlock, type BlockProps} from './block-rows.tsx';

/** The thoughts of the model: one row, the text in the detail view. */
export const ThinkingBlock = memo(function ThinkingBlock({block, rows, isContinued}: BlockProps<'thinking'>): ReactElement {
	return <BlockRows rows={rows} isContinued={isContinued} label={() => ({title: `Thinking: ${thinkingWords(block)}`})} />;
}, isSameBlock);
