/**
 * Turns a GGUF file of the architecture `qwen3` into the folder that vLLM and SGLang load: `config.json`,
 * `model.safetensors`, `tokenizer.json` and their small companions. Reads F32 and Q8_0; writes F32, so that nothing is
 * lost on the way.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Gguf, readGguf } from './read-gguf.ts';

export function convertModel(ggufPath: string, folder: string): void {
  const gguf = readGguf(ggufPath);
  if (gguf.text('general.architecture') !== 'qwen3') throw new Error('only qwen3 models are understood');
  mkdirSync(folder, { recursive: true });
  const write = (name: string, value: object) =>
    writeFileSync(join(folder, name), JSON.stringify(value, null, 1));
  write('config.json', modelConfig(gguf));
  write('generation_config.json', { eos_token_id: endTokens(gguf), do_sample: true });
  write('tokenizer.json', tokenizer(gguf));
  write('tokenizer_config.json', tokenizerConfig(gguf));
  writeFileSync(join(folder, 'chat_template.jinja'), gguf.text('tokenizer.chat_template'));
  writeFileSync(join(folder, 'model.safetensors'), safetensors(gguf));
}

function modelConfig(gguf: Gguf): object {
  return {
    architectures: ['Qwen3ForCausalLM'],
    model_type: 'qwen3',
    dtype: 'float32',
    hidden_act: 'silu',
    hidden_size: gguf.number('qwen3.embedding_length'),
    intermediate_size: gguf.number('qwen3.feed_forward_length'),
    num_hidden_layers: gguf.number('qwen3.block_count'),
    num_attention_heads: gguf.number('qwen3.attention.head_count'),
    num_key_value_heads: gguf.number('qwen3.attention.head_count_kv'),
    head_dim: gguf.number('qwen3.attention.key_length'),
    max_position_embeddings: gguf.number('qwen3.context_length'),
    rope_theta: gguf.number('qwen3.rope.freq_base'),
    rope_parameters: { rope_type: 'default', rope_theta: gguf.number('qwen3.rope.freq_base') },
    rms_norm_eps: Number(gguf.number('qwen3.attention.layer_norm_rms_epsilon').toPrecision(6)),
    vocab_size: gguf.list('tokenizer.ggml.tokens').length,
    bos_token_id: gguf.number('tokenizer.ggml.bos_token_id'),
    eos_token_id: gguf.number('tokenizer.ggml.eos_token_id'),
    attention_bias: false,
    tie_word_embeddings: !gguf.tensors.some(({ name }) => name === 'output.weight'),
  };
}

function endTokens(gguf: Gguf): number[] {
  const keys = ['tokenizer.ggml.eos_token_id', 'tokenizer.ggml.padding_token_id'];
  return [...new Set(keys.map((key) => gguf.number(key)))];
}

/** Digits one by one, a blank with the word after it. */
const qwen2Pattern =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const controlToken = 3;
const plainToken = 1;

function tokenizer(gguf: Gguf): object {
  if (gguf.text('tokenizer.ggml.pre') !== 'qwen2')
    throw new Error('only the qwen2 pre-tokenizer is understood');
  const words = gguf.list('tokenizer.ggml.tokens').map(String);
  const types = gguf.list('tokenizer.ggml.token_type');
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false };
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: words.flatMap((content, id) =>
      types[id] === plainToken ? [] : [addedToken(gguf, content, id)],
    ),
    normalizer: null,
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [
        { type: 'Split', pattern: { Regex: qwen2Pattern }, behavior: 'Isolated', invert: false },
        byteLevel,
      ],
    },
    post_processor: byteLevel,
    decoder: byteLevel,
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: '',
      end_of_word_suffix: '',
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: false,
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
      merges: gguf.list('tokenizer.ggml.merges').map((pair) => String(pair).split(' ')),
    },
  };
}

function addedToken(gguf: Gguf, content: string, id: number): object {
  const special = gguf.list('tokenizer.ggml.token_type')[id] === controlToken;
  return { id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special };
}

function tokenizerConfig(gguf: Gguf): object {
  const words = gguf.list('tokenizer.ggml.tokens').map(String);
  const named = (key: string) => words[gguf.number(`tokenizer.ggml.${key}_token_id`)];
  return {
    tokenizer_class: 'PreTrainedTokenizerFast',
    bos_token: null,
    eos_token: named('eos'),
    pad_token: named('padding'),
    unk_token: null,
    add_bos_token: false,
    clean_up_tokenization_spaces: false,
    model_max_length: gguf.number('qwen3.context_length'),
    chat_template: gguf.text('tokenizer.chat_template'),
  };
}

/** Eight bytes for the length of the header, the header as JSON, then every tensor one after the other. */
function safetensors(gguf: Gguf): Buffer {
  const header: Record<string, object> = { __metadata__: { format: 'pt' } };
  const parts: Buffer[] = [];
  let end = 0;
  for (const { name, shape, weights } of gguf.tensors) {
    const values = weights();
    const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    header[publicTensorName(name)] = { dtype: 'F32', shape, data_offsets: [end, end + bytes.length] };
    end += bytes.length;
    parts.push(bytes);
  }
  const text = Buffer.from(JSON.stringify(header));
  const padding = Buffer.alloc((8 - (text.length % 8)) % 8, ' ');
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length + padding.length));
  return Buffer.concat([length, text, padding, ...parts]);
}

const wholeModelNames: Readonly<Record<string, string>> = {
  'token_embd.weight': 'model.embed_tokens.weight',
  'output_norm.weight': 'model.norm.weight',
  'output.weight': 'lm_head.weight',
};

const blockNames: Readonly<Record<string, string>> = {
  attn_q: 'self_attn.q_proj',
  attn_k: 'self_attn.k_proj',
  attn_v: 'self_attn.v_proj',
  attn_output: 'self_attn.o_proj',
  attn_q_norm: 'self_attn.q_norm',
  attn_k_norm: 'self_attn.k_norm',
  attn_norm: 'input_layernorm',
  ffn_norm: 'post_attention_layernorm',
  ffn_gate: 'mlp.gate_proj',
  ffn_up: 'mlp.up_proj',
  ffn_down: 'mlp.down_proj',
};

function publicTensorName(name: string): string {
  const whole = wholeModelNames[name];
  if (whole !== undefined) return whole;
  const [, block, part = ''] = /^blk\.(\d+)\.(\w+)\.weight$/.exec(name) ?? [];
  const within = blockNames[part];
  if (within === undefined) throw new Error(`the tensor ${name} has no place in a qwen3 model`);
  return `model.layers.${block}.${within}.weight`;
}
