"""Scaled scores in code."""

import numpy as np

from attnlib.attention import scores
from attnlib.exercises.answers import close, shaped
from attnlib.exercises.machinery import Exercise, Property
from attnlib.exercises.text import Text

# no squares among them: a root made a whole number shows
FEATURES = (2, 3, 7, 12, 50, 1000)


def _standard(seed, *leading, n_q=5, n_k=3, d_k=8):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((*leading, n_q, d_k)), rng.standard_normal((*leading, n_k, d_k))


def _factor(f, **sizes):
    """The one number that the scores were multiplied by, or the best there is."""
    Q, K = _standard(2, **sizes)
    return np.sum(f(Q, K) * scores(Q, K)) / np.sum(scores(Q, K) ** 2)


def _scores_are_proportional(f):
    Q, K = _standard(2)
    factor = _factor(f)
    return factor > 0 and close(f(Q, K), factor * scores(Q, K))


def _scores_ignore_other_tokens(f):
    Q, K = _standard(3, n_k=6)
    return close(f(Q, K)[:2, :4], f(Q[:2], K[:4]))


def _variance_stays(f):
    variances = [d_k * _factor(f, d_k=d_k) ** 2 for d_k in (4, 64, 1024)]
    return np.allclose(variances, 1, atol=0.25)


def _scores_are_right(f):
    cases = [_standard(4, d_k=d_k) for d_k in FEATURES]
    return all(close(f(Q, K), scores(Q, K) / np.sqrt(Q.shape[-1])) for Q, K in cases)


def _scores_take_leading_axes(f):
    Q, K = _standard(5, 2, 4)
    return close(f(Q, K), scores(Q, K) / np.sqrt(Q.shape[-1]))


def _scores_keep_float32(f):
    given = f.raw(*(array.astype(np.float32) for array in _standard(6)))
    # nested lists have no dtype to keep
    return getattr(given, "dtype", np.float32) == np.float32


EXERCISE = Exercise(
    (
        Property(
            "shape",
            Text("gives one score for each query and key", "每个 Query 与每个 Key 得到一个分数"),
            Text(
                "Five queries and three keys must give five rows of three scores.",
                "五个 Query 和三个 Key 应当得到五行，每行三个分数。",
            ),
            lambda f: f(*_standard(1)) is not None,
        ),
        Property(
            "products",
            Text("the scores are dot products, all scaled alike", "分数是点积，并且缩放比例一致"),
            Text(
                "Entry (i, j) belongs to query i and key j. Every entry must be the dot product "
                "times one and the same positive number; weights come later.",
                "元素 (i, j) 属于第 i 个 Query 与第 j 个 Key。"
                "每个元素都应是点积乘以同一个正数；权重是之后的事。",
            ),
            _scores_are_proportional,
        ),
        Property(
            "own pair",
            Text(
                "a score depends on its own query and key only", "分数只取决于自己的 Query 和 Key"
            ),
            Text(
                "Adding tokens changed scores that were there before: the factor must not be made "
                "from the number of tokens or from the other scores.",
                "增加 Token 之后，原有的分数变了：缩放因子不能由 Token 个数或其他分数得出。",
            ),
            _scores_ignore_other_tokens,
        ),
        Property(
            "variance",
            Text(
                "the variance neither grows nor shrinks with the features",
                "方差不随特征个数增大或减小",
            ),
            Text(
                "Tried with 4, 64 and 1024 features of variance 1. Print the variance of your "
                "scores for each: does it grow, shrink or stay, and is it near 1?",
                "这里用方差为 1 的 4、64、1024 个特征做了试验。"
                "请分别打印分数的方差：它在变大、变小，还是不变？是否接近 1？",
            ),
            _variance_stays,
        ),
        Property(
            "exact",
            Text(
                "the factor is right for any number of features", "无论有多少个特征，缩放因子都正确"
            ),
            Text(
                "The factor is nearly right, and not equal to that of the formula. Tried with 2, "
                "3, 7, 12, 50 and 1000 features: is anything rounded on the way, added, or too "
                "large or small by a little?",
                "缩放因子很接近，但与公式中的不相等。这里试了 2、3、7、12、50、1000 个特征："
                "途中是否取了整，多加了什么，或者偏大、偏小了一点？",
            ),
            _scores_are_right,
        ),
        Property(
            "leading axes",
            Text("works for a batch of heads as for one", "对一批注意力头同样适用"),
            Text(
                "With shape (batch, heads, n, d_k) count axes from the end: only the last two may "
                "change places, and the features are the last one.",
                "形状为 (batch, heads, n, d_k) 时，请从末尾数轴："
                "只能交换最后两个轴，特征是最后一个轴。",
            ),
            _scores_take_leading_axes,
        ),
        Property(
            "float32",
            Text("float32 stays float32", "float32 仍是 float32"),
            Text(
                "The inputs are float32 and the result is not. Print the dtype of all that takes "
                "part: a factor may be a NumPy float64, and so is an array of zeros that is made "
                "without a dtype.",
                "输入是 float32，结果却不是。请打印参与计算的每一项的 dtype："
                "缩放因子可能是 NumPy 的 float64；"
                "新建全零数组时若不指定 dtype，得到的也是 float64。",
            ),
            _scores_keep_float32,
        ),
    ),
    shaped(lambda Q, K: (*Q.shape[:-1], K.shape[-2])),
)
