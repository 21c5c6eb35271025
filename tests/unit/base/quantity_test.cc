// The grammar of quantities, exactness, rounding, clamping and printing.
#include "muster/quantity.h"

#include <gtest/gtest.h>

#include <random>

namespace muster {
namespace {

template <typename Number>
concept MakesQuantities = requires(Number n) {
  Quantity::Units(n);
}
|| requires(Number n) { Quantity::Milli(n); }
|| requires(Number n) { Quantity::FromNano(n); }
|| requires(Number n) { FormatAmount("cpu", n); };
static_assert(MakesQuantities<int> && MakesQuantities<std::uint64_t>);
static_assert(!MakesQuantities<double> && !MakesQuantities<float>,
              "half a unit is no whole number");

TEST(Quantity, WholeNumbersOfAnyWidthAreClampedNotWrapped) {
  EXPECT_EQ(Quantity::Units(~std::uint64_t{0}), Quantity::Units(kUnlimited));
  EXPECT_EQ(Quantity::Units(-1), Quantity::Milli(-1000));
}

Quantity::Nano Nano(std::int64_t units, std::int64_t nano = 0) {
  return Quantity::Nano{units} * 1'000'000'000 + nano;
}

struct Accepted {
  const char* text;
  Quantity::Nano nano;
};

void PrintTo(const Accepted& a, std::ostream* out) { *out << a.text; }

class QuantityAccepts : public testing::TestWithParam<Accepted> {};

TEST_P(QuantityAccepts, ExactValue) {
  const auto q = Quantity::Parse(GetParam().text);
  ASSERT_TRUE(q.has_value()) << GetParam().text;
  EXPECT_TRUE(q->nano() == GetParam().nano) << GetParam().text << " = " << q->ToString();
}

constexpr std::int64_t kKi = 1024;

INSTANTIATE_TEST_SUITE_P(
    Numbers, QuantityAccepts,
    testing::Values(Accepted{"0", Nano(0)}, Accepted{"1", Nano(1)}, Accepted{"+1", Nano(1)},
                    Accepted{"-1", Nano(-1)}, Accepted{"007", Nano(7)}, Accepted{"1.", Nano(1)},
                    Accepted{".5", Nano(0, 500'000'000)}, Accepted{"1.5", Nano(1, 500'000'000)},
                    Accepted{"-0.25", -Nano(0, 250'000'000)}, Accepted{"0.000000001", Nano(0, 1)}));

INSTANTIATE_TEST_SUITE_P(
    Suffixes, QuantityAccepts,
    testing::Values(Accepted{"3n", Nano(0, 3)}, Accepted{"3u", Nano(0, 3'000)},
                    Accepted{"3m", Nano(0, 3'000'000)}, Accepted{"1500m", Nano(1, 500'000'000)},
                    Accepted{"3k", Nano(3'000)}, Accepted{"3M", Nano(3'000'000)},
                    Accepted{"3G", Nano(3'000'000'000)}, Accepted{"3T", Nano(3'000'000'000'000)},
                    Accepted{"3P", Nano(3'000'000'000'000'000)},
                    Accepted{"3E", Nano(3'000'000'000'000'000'000)}, Accepted{"3Ki", Nano(3 * kKi)},
                    Accepted{"3Mi", Nano(3 * kKi * kKi)},
                    Accepted{"3Gi", Nano(3 * kKi * kKi * kKi)},
                    Accepted{"3Ti", Nano(3 * kKi * kKi * kKi * kKi)},
                    Accepted{"3Pi", Nano(3 * kKi * kKi * kKi * kKi * kKi)},
                    Accepted{"3Ei", Nano(3 * kKi * kKi * kKi * kKi * kKi * kKi)},
                    Accepted{"0.5Ki", Nano(512)}, Accepted{"1.5Gi", Nano(1'610'612'736)},
                    Accepted{"0.1k", Nano(100)}, Accepted{"100.2m", Nano(0, 100'200'000)}));

INSTANTIATE_TEST_SUITE_P(
    Exponents, QuantityAccepts,
    testing::Values(Accepted{"2e3", Nano(2'000)}, Accepted{"2E3", Nano(2'000)},
                    Accepted{"2e+3", Nano(2'000)}, Accepted{"2E-3", Nano(0, 2'000'000)},
                    Accepted{"1.25e1", Nano(12, 500'000'000)}, Accepted{"0e999999", Nano(0)},
                    Accepted{"0.00001e5", Nano(1)}, Accepted{"12345e-4", Nano(1, 234'500'000)},
                    Accepted{"1E", Nano(1'000'000'000'000'000'000)}));

INSTANTIATE_TEST_SUITE_P(
    FinerThanNanoRoundsAwayFromZero, QuantityAccepts,
    testing::Values(Accepted{"0.0000000001", Nano(0, 1)}, Accepted{"-0.0000000001", -Nano(0, 1)},
                    Accepted{"0.5n", Nano(0, 1)}, Accepted{"1.1n", Nano(0, 2)},
                    Accepted{"1e-99999999999", Nano(0, 1)},
                    Accepted{"1.00000000000000000000000000000000000000000000001", Nano(1, 1)},
                    Accepted{"0.00000000000000000000000000001Ei", Nano(0, 1)}));

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

INSTANTIATE_TEST_SUITE_P(
    BeyondTheRangeIsClamped, QuantityAccepts,
    testing::Values(Accepted{"9223372036854775807", Nano(kMax)},
                    Accepted{"9223372036854775807.5", Nano(kMax)},
                    Accepted{"9223372036854775808", Nano(kMax)},
                    Accepted{"-9223372036854775808", -Nano(kMax)}, Accepted{"10E", Nano(kMax)},
                    Accepted{"8Ei", Nano(kMax)}, Accepted{"-8Ei", -Nano(kMax)},
                    Accepted{"1e1000000000000", Nano(kMax)},
                    Accepted{"99999999999999999999999999999999999999999999", Nano(kMax)},
                    Accepted{"7.99999999999999999999999999999999Ei", Nano(kMax)}));

class QuantityRefuses : public testing::TestWithParam<const char*> {};

TEST_P(QuantityRefuses, NotAQuantity) {
  EXPECT_FALSE(Quantity::Parse(GetParam()).has_value()) << GetParam();
}

INSTANTIATE_TEST_SUITE_P(BadInput, QuantityRefuses,
                         testing::Values("", ".", "+", "-", "abc", "Gi", "m", "e3", "1.2.3", "1..2",
                                         " 1", "1 ", "1 Gi", "1gi", "1GI", "1K", "1KI", "1Zi", "1Y",
                                         "1mi", "1e", "1e+", "1e1.5", "1e3Gi", "1Ee", "0x10", "--1",
                                         "+-1", "1,5", "1_000", "inf", "NaN", "1m ", "1\n",
                                         "1KiB"));

TEST(Quantity, AnEmbeddedZeroByteIsNotPartOfANumber) {
  EXPECT_FALSE(Quantity::Parse(std::string_view("1\0", 2)).has_value());
}

// ---- amounts -----------------------------------------------------------------------------------

Amount AmountOf(const char* resource, const char* text) {
  return Quantity::Parse(text)->ToAmount(resource);
}

TEST(Quantity, CpuIsHeldInMilliCores) {
  EXPECT_EQ(AmountOf("cpu", "1"), 1000);
  EXPECT_EQ(AmountOf("cpu", "0.5"), 500);
  EXPECT_EQ(AmountOf("cpu", "2k"), 2'000'000);
}

TEST(Quantity, OtherResourcesAreHeldInWholeUnits) {
  EXPECT_EQ(AmountOf("memory", "1Gi"), 1'073'741'824);
  EXPECT_EQ(AmountOf("nvidia.com/gpu", "3"), 3);
  EXPECT_EQ(AmountOf("example.com/cpu", "3"), 3);
}

TEST(Quantity, AmountsRoundUp) {
  EXPECT_EQ(AmountOf("cpu", "100.2m"), 101);
  EXPECT_EQ(AmountOf("cpu", "1n"), 1);
  EXPECT_EQ(AmountOf("nvidia.com/gpu", "0.5"), 1);
  EXPECT_EQ(AmountOf("memory", "1.000000001"), 2);
  EXPECT_EQ(AmountOf("memory", "-1.5"), -1);
  EXPECT_EQ(AmountOf("cpu", "-100.2m"), -100);
}

TEST(Quantity, AmountsClampToTheIntegerRange) {
  EXPECT_EQ(AmountOf("cpu", "9223372036854775807"), kUnlimited);
  EXPECT_EQ(AmountOf("cpu", "-9223372036854775807"), std::numeric_limits<Amount>::min());
  EXPECT_EQ(AmountOf("memory", "9223372036854775806.5"), kUnlimited);
}

// ---- arithmetic --------------------------------------------------------------------------------

TEST(Quantity, SumsOfPartsAreExactBeforeTheyAreRounded) {
  const Quantity tenth = *Quantity::Parse("0.1m");
  Quantity sum;
  for (int i = 0; i < 10; ++i) sum = sum + tenth;
  EXPECT_EQ(sum.ToAmount("cpu"), 1);
}

TEST(Quantity, SumsAndDifferencesClamp) {
  const Quantity max = Quantity::Units(kMax);
  EXPECT_EQ(max + max, max);
  EXPECT_EQ(Quantity() - max - max, Quantity() - max);
}

TEST(Quantity, ProductsAreExactAndCutAwayFromZero) {
  EXPECT_EQ(*Quantity::Parse("1.5") * *Quantity::Parse("2.5"), *Quantity::Parse("3.75"));
  EXPECT_EQ(*Quantity::Parse("500m") * *Quantity::Parse("-3"), *Quantity::Parse("-1.5"));
  EXPECT_EQ(*Quantity::Parse("1n") * *Quantity::Parse("1n"), *Quantity::Parse("1n"));
  EXPECT_EQ(*Quantity::Parse("-1n") * *Quantity::Parse("0.1"), *Quantity::Parse("-1n"));
  EXPECT_EQ(Quantity::Units(kMax) * Quantity::Milli(1), *Quantity::Parse("9223372036854775.807"));
  EXPECT_EQ(Quantity::Units(kMax) * Quantity(), Quantity());
}

TEST(Quantity, ProductsClamp) {
  const Quantity max = Quantity::Units(kMax);
  EXPECT_EQ(max * Quantity::Units(2), max);
  EXPECT_EQ(max * Quantity::Units(-2), Quantity() - max);
  EXPECT_EQ(max * max, max);
  EXPECT_EQ(*Quantity::Parse("4E") * *Quantity::Parse("4E"), max);
}

TEST(Quantity, ProductsOfSmallRandomNumbersEqualWideIntegers) {
  std::mt19937_64 random(20260101);
  std::uniform_int_distribution<std::int64_t> pick(-1'000'000'000'000, 1'000'000'000'000);
  for (int i = 0; i < 20'000; ++i) {
    const Quantity::Nano a = pick(random);
    const Quantity::Nano b = pick(random);
    const Quantity::Nano wide = a * b;
    Quantity::Nano expected = wide / 1'000'000'000;
    if (wide % 1'000'000'000 != 0) expected += wide < 0 ? -1 : 1;
    const Quantity product = Quantity::FromNano(a) * Quantity::FromNano(b);
    ASSERT_TRUE(product.nano() == expected) << "round " << i << " of seed 20260101";
  }
}

// ---- printing ----------------------------------------------------------------------------------

struct Printed {
  const char* given;
  const char* canonical;
};

void PrintTo(const Printed& p, std::ostream* out) { *out << p.given; }

class QuantityPrints : public testing::TestWithParam<Printed> {};

TEST_P(QuantityPrints, ShortestText) {
  EXPECT_EQ(Quantity::Parse(GetParam().given)->ToString(), GetParam().canonical);
}

INSTANTIATE_TEST_SUITE_P(
    Canonical, QuantityPrints,
    testing::Values(Printed{"0.5", "500m"}, Printed{"500m", "500m"}, Printed{"3", "3"},
                    Printed{"3000m", "3"}, Printed{"1.5", "1500m"}, Printed{"1024Mi", "1Gi"},
                    Printed{"1048576Ki", "1Gi"}, Printed{"1073741824", "1Gi"},
                    Printed{"1000", "1k"}, Printed{"2e3", "2k"}, Printed{"1500000", "1500k"},
                    Printed{"0", "0"}, Printed{"-0", "0"}, Printed{"0.000", "0"},
                    Printed{"-1.5", "-1500m"}, Printed{"-1Gi", "-1Gi"}, Printed{"1n", "1n"},
                    Printed{"0.0015", "1500u"}, Printed{"8Ei", "9223372036854775807"},
                    Printed{"123", "123"}));

TEST(Quantity, EqualQuantitiesPrintEqually) {
  for (const char* text : {"2", "2.0", "2000m", "2000000u", "2e0", "20e-1"}) {
    EXPECT_EQ(Quantity::Parse(text)->ToString(), "2") << text;
  }
}

TEST(Quantity, PrintedTextReadsBackAsTheSameQuantity) {
  std::mt19937_64 random(20260102);
  for (int i = 0; i < 20'000; ++i) {
    Quantity::Nano nano = static_cast<std::int64_t>(random() >> (random() % 64));
    if (random() % 2 == 0) nano *= static_cast<std::int64_t>(random() >> 36);
    if (random() % 2 == 0) nano = -nano;
    const Quantity q = Quantity::FromNano(nano);
    const auto back = Quantity::Parse(q.ToString());
    ASSERT_TRUE(back.has_value()) << q.ToString();
    ASSERT_EQ(*back, q) << q.ToString() << ", round " << i << " of seed 20260102";
  }
}

TEST(Quantity, RandomTextNeverCrashesAndOnlyParsesByTheGrammar) {
  constexpr std::string_view kAlphabet = "0123456789.+-eEinumkKMGTP ";
  std::mt19937_64 random(20260103);
  int accepted = 0;
  for (int i = 0; i < 50'000; ++i) {
    std::string text;
    for (std::size_t n = random() % 8; n > 0; --n) {
      text.push_back(kAlphabet[random() % kAlphabet.size()]);
    }
    const auto q = Quantity::Parse(text);
    if (!q) continue;
    ++accepted;
    ASSERT_TRUE(text.find_first_of("0123456789") != std::string::npos) << text;
    ASSERT_EQ(text.find(' '), std::string::npos) << text;
  }
  EXPECT_GT(accepted, 100);
}

TEST(FormatAmount, SpeaksTheUnitsOfTheResource) {
  EXPECT_EQ(FormatAmount("cpu", 1500), "1500m");
  EXPECT_EQ(FormatAmount("cpu", 2000), "2");
  EXPECT_EQ(FormatAmount("cpu", -500), "-500m");
  EXPECT_EQ(FormatAmount("memory", 1'073'741'824), "1Gi");
  EXPECT_EQ(FormatAmount("memory", 1'500'000), "1500k");
  EXPECT_EQ(FormatAmount("memory", 1001), "1001");
  EXPECT_EQ(FormatAmount("nvidia.com/gpu", 1024), "1024");
  EXPECT_EQ(FormatAmount("pods", 0), "0");
  EXPECT_EQ(FormatAmount("memory", -1024), "-1Ki");
}

TEST(FormatAmount, NamesTheSentinelAndSurvivesTheMinimum) {
  EXPECT_EQ(FormatAmount("cpu", kUnlimited), "unlimited");
  EXPECT_EQ(FormatAmount("pods", std::numeric_limits<Amount>::min()), "-9223372036854775808");
}

}  // namespace
}  // namespace muster
